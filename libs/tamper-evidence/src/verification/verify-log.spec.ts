import { copyFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { openSqliteEventLog, openSqliteStoredLog } from '#event-log';
import { type EventLog, HOUR, newEventId, type RecordedEvent, type StreamName } from '#kernel';
import { hashEvent, NO_HASH } from '../event-hash.js';
import { withHashChain } from '../hash-chain.js';
import { parseSeal, SEALS, type Seal } from '../seal.js';
import { SealKey } from '../seal-key.js';
import { Sealing } from '../sealing.js';
import type { Fault } from './fault.js';
import { type VerifyOptions, verifyLog } from './verify-log.js';

const NOW = 1_767_225_600_000;
const STREAMS = 12;
const APPENDS = 150;
const SEAL_EVERY = 40;
const key = new SealKey(Buffer.alloc(32, 7));

interface Row {
  readonly position: number;
  readonly stream: number;
  readonly revision: number;
  readonly kind: number;
  readonly id: string;
  readonly body: string;
}

let directory: string;
let original: string;
let newest: Seal;
let rows: readonly Row[];
let tampered = 0;

/** Texts that a bit flip can turn into others that mean the same. */
const data = (n: number) => ({
  n,
  huge: 1e21,
  tiny: 5e-324,
  text: `line\u001fbreak ünïcödé 語 �`,
  nested: { 7: 'seven', a: [1, null, { b: -0.5 }] },
});

const fill = async (log: EventLog): Promise<void> => {
  const ends = new Map<StreamName, number>();
  const sealing = new Sealing(log, key, SEAL_EVERY);
  for (let n = 0; n < APPENDS; n++) {
    const stream: StreamName = `thing-${(n * 7) % STREAMS}`;
    const end = ends.get(stream);
    const events = Array.from({ length: 1 + (n % 3) }, (_, k) => ({
      id: newEventId(),
      type: n % 2 === 0 ? 'thing.happened.v1' : 'thing.changed.v1',
      data: data(n + k),
      metadata: { at: NOW + n, correlationId: `req_${n}`, causationId: null, actor: 'key:test', workspaceId: null },
    }));
    ends.set(stream, (await log.append(stream, end ?? 'none', events)).revision);
    await sealing.runDue(NOW + n);
    if (n === APPENDS - 5) await sealing.sealAll(NOW + HOUR);
  }
};

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'verify-'));
  original = join(directory, 'events.db');
  const log = withHashChain(openSqliteEventLog({ file: original }));
  await fill(log);
  const [last] = await log.readStream(SEALS, { direction: 'backwards', limit: 1 });
  newest = parseSeal(last?.data) as Seal;
  await log.close();
  const db = new DatabaseSync(original, { readOnly: true });
  rows = db.prepare('SELECT * FROM events ORDER BY position').all() as unknown as Row[];
  db.close();
});

afterAll(() => rm(directory, { recursive: true }));

/** A copy of the log that somebody has had their hands on. */
const tamper = (deed: (db: DatabaseSync) => void): string => {
  const file = join(directory, `tampered-${tampered++}.db`);
  copyFileSync(original, file);
  const db = new DatabaseSync(file);
  deed(db);
  db.close();
  return file;
};

const verify = async (file: string, options: VerifyOptions = {}, publicKey = key.publicKey) => {
  const log = openSqliteStoredLog(file);
  try {
    return await verifyLog(log, publicKey, options);
  } finally {
    await log.close();
  }
};

const faultsAfter = async (deed: (db: DatabaseSync) => void, options?: VerifyOptions): Promise<readonly Fault[]> => {
  const file = tamper(deed);
  const { faults } = await verify(file, options);
  await rm(file);
  return faults;
};

const rowAt = fc.nat().map((n) => rows[n % rows.length] as Row);
const rowsAt = (count: number) =>
  fc
    .uniqueArray(fc.nat({ max: 1_000_000 }), { minLength: count, maxLength: count, selector: (n) => n % rows.length })
    .map((places) => places.map((n) => rows[n % rows.length] as Row).toSorted((a, b) => a.position - b.position));
const seeded = { numRuns: 25, seed: 7_2026 };

const recorded = ({ body }: Row) => JSON.parse(body) as RecordedEvent;
const nameOf = (row: Row) => ({ id: row.id, stream: recorded(row).stream });

describe('A log that is as it was written', () => {
  it('has no fault, and is told with its last event, its root and its seals', async () => {
    const { faults, ...verification } = await verify(original, { kept: newest });
    const last = rows.at(-1) as Row;
    expect(faults).toEqual([]);
    expect(verification).toMatchObject({
      events: rows.length,
      last: { ...nameOf(last), revision: last.revision },
      faultCount: 0,
      sealedEvents: newest.statement.count,
    });
    expect(verification.seals).toBeGreaterThan(5);
  });

  it('may be written while it is verified', async () => {
    const file = tamper(() => undefined);
    const log = withHashChain(openSqliteEventLog({ file }));
    const appended: Promise<unknown>[] = [];
    const verification = await verify(file, {
      onProgress: () => {
        const { metadata } = recorded(rows[0] as Row);
        appended.push(log.append('late-1', 'any', [{ id: newEventId(), type: 'late.v1', data: {}, metadata }]));
      },
    });
    expect(verification).toMatchObject({ events: rows.length, faultCount: 0 });
    expect((await Promise.all(appended)).length).toBeGreaterThan(0);
    await log.close();
  });
});

describe('A log in which a single bit is not as it was', () => {
  const flipped = (bytes: Uint8Array, bit: number) => {
    const copy = Buffer.from(bytes);
    copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    return copy;
  };

  it('names the event, wherever in its body the bit is', async () => {
    await fc.assert(
      fc.asyncProperty(rowAt, fc.nat(), async (row, n) => {
        const bytes = Buffer.from(row.body);
        const body = flipped(bytes, n % (bytes.length * 8));
        const faults = await faultsAfter((db) =>
          db.prepare('UPDATE events SET body = CAST(? AS TEXT) WHERE position = ?').run(body, row.position),
        );
        expect(faults).toContainEqual(expect.objectContaining({ ...nameOf(row), number: row.position }));
        expect(faults[0]?.number).toBe(row.position);
      }),
      { ...seeded, numRuns: 60 },
    );
  });

  it('names it, too, where what it says means the same as before', async () => {
    const row = rows.find(({ body }) => body.includes('1e+21')) as Row;
    for (const [before, after] of [
      ['1e+21', '1E+21'],
      ['\\u001f', '\\u001F'],
    ] as const) {
      const body = row.body.replace(before, after);
      expect(JSON.parse(body)).toEqual(JSON.parse(row.body));
      const faults = await faultsAfter((db) =>
        db.prepare('UPDATE events SET body = ? WHERE position = ?').run(body, row.position),
      );
      expect(faults[0]).toMatchObject({ kind: 'changed', number: row.position, id: row.id });
    }
  });

  it.each(['revision', 'kind', 'stream', 'position'] as const)(
    'names the event where it is in its %s',
    async (column) => {
      await fc.assert(
        fc.asyncProperty(rowAt, fc.integer({ min: 0, max: 63 }), async (row, bit) => {
          const value = BigInt.asIntN(64, BigInt(row[column]) ^ (1n << BigInt(bit)));
          let isPossible = true;
          const faults = await faultsAfter((db) => {
            // As on a disk, where nothing looks after what is unique.
            try {
              db.prepare(`UPDATE events SET ${column} = ? WHERE position = ?`).run(value, row.position);
            } catch {
              isPossible = false;
            }
          });
          fc.pre(isPossible);
          expect(faults).toContainEqual(expect.objectContaining({ kind: 'changed', id: row.id }));
          if (column !== 'position') expect(faults[0]?.number).toBe(row.position);
        }),
        seeded,
      );
    },
  );

  it('names the event where it is in its id', async () => {
    await fc.assert(
      fc.asyncProperty(rowAt, fc.nat(), async (row, n) => {
        const bytes = Buffer.from(row.id);
        const id = flipped(bytes, n % (bytes.length * 8));
        const faults = await faultsAfter((db) =>
          db.prepare('UPDATE events SET id = CAST(? AS TEXT) WHERE position = ?').run(id, row.position),
        );
        expect(faults[0]).toMatchObject({ kind: 'changed', number: row.position, stream: nameOf(row).stream });
      }),
      seeded,
    );
  });

  it('names the first event of the stream or the type whose name it is in', async () => {
    for (const [table, column] of [
      ['streams', 'name'],
      ['kinds', 'category'],
      ['kinds', 'type'],
    ] as const) {
      const first = rows.find((row) => (table === 'streams' ? row.stream : row.kind) === 2) as Row;
      const faults = await faultsAfter((db) => {
        const name = String(db.prepare(`SELECT ${column} AS name FROM ${table} WHERE id = 2`).get()?.name);
        db.prepare(`UPDATE ${table} SET ${column} = CAST(? AS TEXT) WHERE id = 2`).run(flipped(Buffer.from(name), 9));
      });
      expect(faults[0]).toMatchObject({ kind: 'changed', number: first.position, id: first.id });
    }
  });
});

/** Whoever knows the format can make bodies and hashes anew; only seals they can not make. */
class Forger {
  constructor(private readonly db: DatabaseSync) {}

  events(): RecordedEvent[] {
    const all = this.db.prepare('SELECT body FROM events ORDER BY position').all() as { body: string }[];
    return all.map(({ body }) => JSON.parse(body) as RecordedEvent);
  }

  /** The whole log again: streams counted and chained anew, positions without a gap. */
  write(events: readonly RecordedEvent[]): void {
    this.db.exec('BEGIN; DELETE FROM events; DELETE FROM streams; DELETE FROM kinds;');
    const ends = new Map<string, { readonly revision: number; readonly hash: string }>();
    for (const [index, { id, type, stream, data: content, metadata: old }] of events.entries()) {
      const { hash: _, ...metadata } = old;
      const end = ends.get(stream) ?? { revision: -1, hash: NO_HASH };
      const revision = end.revision + 1;
      const json = { data: JSON.stringify(content), metadata: JSON.stringify(metadata) };
      const hash = hashEvent({ id, type, json }, stream, revision, end.hash);
      ends.set(stream, { revision, hash });
      const position = index + 1;
      const body = { id, type, stream, data: content, metadata: { ...metadata, hash }, revision, position };
      const category = stream.slice(0, stream.indexOf('-'));
      const streamId = this.idOf('streams (name)', [stream], 'name = ?');
      const kind = this.idOf('kinds (category, type)', [category, type], 'category = ? AND type = ?');
      this.db
        .prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)')
        .run(position, streamId, revision, kind, id, JSON.stringify(body));
    }
    this.db.exec('COMMIT');
  }

  private idOf(into: string, values: readonly string[], where: string): number {
    const marks = values.map(() => '?').join(', ');
    this.db.prepare(`INSERT INTO ${into} VALUES (${marks}) ON CONFLICT DO NOTHING`).run(...values);
    const table = into.slice(0, into.indexOf(' '));
    return Number(this.db.prepare(`SELECT id FROM ${table} WHERE ${where}`).get(...values)?.id);
  }
}

describe('A log from which events were taken', () => {
  it.each([1, 2])('names the place of the first of %i, or the cut', async (count) => {
    await fc.assert(
      fc.asyncProperty(rowsAt(count), async (gone) => {
        const faults = await faultsAfter((db) => {
          for (const { position } of gone) db.prepare('DELETE FROM events WHERE position = ?').run(position);
        });
        const first = gone[0] as Row;
        // What is cut off the very end, after the last seal, only a seal made later could tell.
        fc.pre(first.position <= rows.length - count);
        expect(faults[0]).toMatchObject({ kind: 'missing', number: first.position });
      }),
      seeded,
    );
  });

  it('names the place, too, where all the rest was made to fit', async () => {
    await fc.assert(
      fc.asyncProperty(rowAt, async (row) => {
        fc.pre(row.position <= newest.statement.count && recorded(row).stream !== SEALS);
        const file = tamper(() => undefined);
        const db = new DatabaseSync(file);
        const forger = new Forger(db);
        forger.write(forger.events().filter(({ id }) => id !== row.id));
        db.close();
        const { faults } = await verify(file);
        await rm(file);
        expect(faults[0]).toMatchObject({ number: row.position });
      }),
      { ...seeded, numRuns: 15 },
    );
  });

  it('tells that the end was cut off, by a seal that was kept', async () => {
    for (const left of [0, 1, newest.statement.count - 1]) {
      const faults = await faultsAfter((db) => db.prepare('DELETE FROM events WHERE position > ?').run(left), {
        kept: newest,
      });
      expect(faults).toMatchObject([{ kind: 'cut_off', number: left + 1 }]);
    }
    const faults = await faultsAfter(
      (db) => db.prepare('DELETE FROM events WHERE position > ?').run(newest.statement.count),
      { kept: newest },
    );
    expect(faults).toMatchObject([{ kind: 'cut_off', number: newest.statement.count + 1 }]);
  });
});

describe('A log in which events stand elsewhere', () => {
  const BODY = 'UPDATE events SET body = ? WHERE position = ?';

  it('names the first of two that were swapped, row for row', async () => {
    await fc.assert(
      fc.asyncProperty(rowsAt(2), async ([one, other]) => {
        if (one === undefined || other === undefined) return;
        const faults = await faultsAfter((db) => {
          db.prepare('UPDATE events SET position = -1 WHERE position = ?').run(one.position);
          db.prepare('UPDATE events SET position = ? WHERE position = ?').run(one.position, other.position);
          db.prepare('UPDATE events SET position = ? WHERE position = -1').run(other.position);
        });
        expect(faults[0]).toMatchObject({ kind: 'changed', number: one.position, id: other.id });
      }),
      seeded,
    );
  });

  it('names the first of two whose bodies were swapped', async () => {
    await fc.assert(
      fc.asyncProperty(rowsAt(2), async ([one, other]) => {
        if (one === undefined || other === undefined) return;
        const faults = await faultsAfter((db) => {
          db.prepare(BODY).run(other.body, one.position);
          db.prepare(BODY).run(one.body, other.position);
        });
        expect(faults[0]).toMatchObject({ kind: 'changed', number: one.position, id: one.id });
      }),
      seeded,
    );
  });

  it('names the first of two of different streams that were swapped with all that tells of it', async () => {
    await fc.assert(
      fc.asyncProperty(rowsAt(2), async ([one, other]) => {
        if (one === undefined || other === undefined) return;
        fc.pre(one.stream !== other.stream && other.position <= newest.statement.count);
        fc.pre([one, other].every((row) => recorded(row).stream !== SEALS));
        const file = tamper(() => undefined);
        const db = new DatabaseSync(file);
        const forger = new Forger(db);
        const events = forger.events();
        const [a, b] = [events[one.position - 1], events[other.position - 1]];
        if (a === undefined || b === undefined) throw new Error('there is no such row');
        events[one.position - 1] = b;
        events[other.position - 1] = a;
        forger.write(events);
        db.close();
        const { faults } = await verify(file);
        await rm(file);
        expect(faults[0]?.number).toBe(one.position);
      }),
      { ...seeded, numRuns: 15 },
    );
  });
});

describe('A log into which something was put', () => {
  const forged = async (change: (events: RecordedEvent[]) => RecordedEvent[]) => {
    const file = tamper(() => undefined);
    const db = new DatabaseSync(file);
    const forger = new Forger(db);
    forger.write(change(forger.events()));
    db.close();
    const { faults } = await verify(file);
    await rm(file);
    return faults;
  };

  it('names an event that was inserted, chained and all', async () => {
    for (const place of [0, 17, 61, newest.statement.count - 4]) {
      const id = newEventId();
      const faults = await forged((events) => {
        const like = events[place] as RecordedEvent;
        return events.toSpliced(place, 0, { ...like, id, stream: 'alien-1', type: 'alien.v1' });
      });
      expect(faults[0]).toMatchObject({ kind: 'inserted', number: place + 1, id });
    }
  });

  it('names an event that was replaced, with every hash after it made anew', async () => {
    for (const place of [0, 33, 88]) {
      let id = '';
      const faults = await forged((events) => {
        const like = events[place] as RecordedEvent;
        id = like.id;
        return events.with(place, { ...like, data: { forged: true } });
      });
      expect(faults[0]).toMatchObject({ kind: 'changed', number: place + 1, id });
    }
  });
});

describe('A log with a seal that is not what it was', () => {
  const sealRow = () => rows.filter((row) => recorded(row).stream === SEALS)[2] as Row;
  const resealed = async (change: (seal: RecordedEvent) => object) => {
    const file = tamper(() => undefined);
    const db = new DatabaseSync(file);
    const forger = new Forger(db);
    forger.write(
      forger.events().map((event) => (event.id === sealRow().id ? { ...event, data: change(event) } : event)),
    );
    db.close();
    const { faults } = await verify(file);
    await rm(file);
    return faults;
  };

  it('names one that another key has signed', async () => {
    const other = new SealKey(Buffer.alloc(32, 8));
    const faults = await resealed(({ data: content }) => {
      const { statement } = content as Seal;
      return { ...content, signature: other.sign(`seal.v1\n${JSON.stringify(statement)}`) };
    });
    expect(faults).toContainEqual(
      expect.objectContaining({ kind: 'bad_seal', id: sealRow().id, number: sealRow().position }),
    );
  });

  it('names one that says so itself', async () => {
    const other = new SealKey(Buffer.alloc(32, 8));
    const faults = await resealed(({ data: content }) => {
      const statement = { ...(content as Seal).statement, key: other.publicKey.id };
      return { ...content, statement, signature: other.sign(`seal.v1\n${JSON.stringify(statement)}`) };
    });
    expect(faults).toContainEqual(
      expect.objectContaining({ kind: 'bad_seal', message: expect.stringContaining(other.publicKey.id) }),
    );
  });

  it('names one that was replaced by an older one', async () => {
    const [older] = rows.filter((row) => recorded(row).stream === SEALS);
    const faults = await resealed(() => (recorded(older as Row) as RecordedEvent).data);
    expect(faults).toContainEqual(
      expect.objectContaining({ kind: 'bad_seal', id: sealRow().id, number: sealRow().position }),
    );
  });

  it('names a root that is not that of the events', async () => {
    const faults = await resealed(({ data: content }) => {
      const { statement } = content as Seal;
      const again = { ...statement, root: 'A'.repeat(43) };
      return { ...content, statement: again, signature: key.sign(`seal.v1\n${JSON.stringify(again)}`) };
    });
    expect(faults).toContainEqual(expect.objectContaining({ kind: 'bad_seal', id: sealRow().id }));
  });

  it('takes no seal for another installation’s, nor a kept one that was changed', async () => {
    const { faults } = await verify(original, {}, new SealKey(Buffer.alloc(32, 8)).publicKey);
    expect(faults[0]).toMatchObject({ kind: 'bad_seal' });
    const kept = { ...newest, statement: { ...newest.statement, count: 1 } };
    expect((await verify(original, { kept })).faults).toMatchObject([{ kind: 'bad_seal', number: 0 }]);
  });
});
