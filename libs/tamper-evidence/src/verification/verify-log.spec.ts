import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { openSqliteEventLog } from '#event-log';
import { newEventId, type RecordedEvent } from '#kernel';
import { signedCheckpoint } from '../checkpoint.js';
import { withHashChain } from '../hash-chain.js';
import { remembered as rememberedSeal } from '../last-seals.js';
import { LOSS_ACCEPTED, SEALS, type Seal, type Sealed, SealKey } from '../seal.js';
import { key, nameOf, type Row, recorded, SealedLog, seeded } from './sealed-log.fixtures.js';

let sealed: SealedLog;

beforeAll(async () => {
  sealed = await SealedLog.write();
});

afterAll(() => sealed.remove());

describe('A log that is as it was written', () => {
  it('has no fault, and is reported with its last event, its root and its seals', async () => {
    const { faults, ...verification } = await sealed.verify(sealed.original, { kept: sealed.newest });
    const last = sealed.rows.at(-1) as Row;
    expect(faults).toEqual([]);
    expect(verification).toMatchObject({
      events: sealed.rows.length,
      last: { ...nameOf(last), revision: last.revision },
      faultCount: 0,
      sealedEvents: sealed.newest.statement.count,
    });
    expect(verification.seals).toBeGreaterThan(5);
  });

  it('may be written while it is verified', async () => {
    const file = sealed.tamper(() => undefined);
    const log = withHashChain(openSqliteEventLog({ file }));
    const appended: Promise<unknown>[] = [];
    const verification = await sealed.verify(file, {
      onProgress: () => {
        const { metadata } = recorded(sealed.rows[0] as Row);
        appended.push(log.append('late-1', 'any', [{ id: newEventId(), type: 'late.v1', data: {}, metadata }]));
      },
    });
    expect(verification).toMatchObject({ events: sealed.rows.length, faultCount: 0 });
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
      fc.asyncProperty(sealed.rowAt, fc.nat(), async (row, n) => {
        const bytes = Buffer.from(row.body);
        const body = flipped(bytes, n % (bytes.length * 8));
        const faults = await sealed.faultsAfter((db) =>
          db.prepare('UPDATE events SET body = CAST(? AS TEXT) WHERE position = ?').run(body, row.position),
        );
        expect(faults).toContainEqual(expect.objectContaining({ ...nameOf(row), number: row.position }));
        expect(faults[0]?.number).toBe(row.position);
      }),
      { ...seeded, numRuns: 60 },
    );
  });

  it('names it even if its JSON has the same meaning as before', async () => {
    const row = sealed.rows.find(({ body }) => body.includes('1e+21')) as Row;
    for (const [before, after] of [
      ['1e+21', '1E+21'],
      ['\\u001f', '\\u001F'],
    ] as const) {
      const body = row.body.replace(before, after);
      expect(JSON.parse(body)).toEqual(JSON.parse(row.body));
      const faults = await sealed.faultsAfter((db) =>
        db.prepare('UPDATE events SET body = ? WHERE position = ?').run(body, row.position),
      );
      expect(faults[0]).toMatchObject({ kind: 'changed', number: row.position, id: row.id });
    }
  });

  it.each(['revision', 'kind', 'stream', 'position'] as const)(
    'names the event where it is in its %s',
    async (column) => {
      await fc.assert(
        fc.asyncProperty(sealed.rowAt, fc.integer({ min: 0, max: 63 }), async (row, bit) => {
          const value = BigInt.asIntN(64, BigInt(row[column]) ^ (1n << BigInt(bit)));
          let isPossible = true;
          const faults = await sealed.faultsAfter((db) => {
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

  it('names the event if its id was changed', async () => {
    await fc.assert(
      fc.asyncProperty(sealed.rowAt, fc.nat(), async (row, n) => {
        const bytes = Buffer.from(row.id);
        const id = flipped(bytes, n % (bytes.length * 8));
        const faults = await sealed.faultsAfter((db) =>
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
      const first = sealed.rows.find((row) => (table === 'streams' ? row.stream : row.kind) === 2) as Row;
      const faults = await sealed.faultsAfter((db) => {
        const name = String(db.prepare(`SELECT ${column} AS name FROM ${table} WHERE id = 2`).get()?.name);
        db.prepare(`UPDATE ${table} SET ${column} = CAST(? AS TEXT) WHERE id = 2`).run(flipped(Buffer.from(name), 9));
      });
      expect(faults[0]).toMatchObject({ kind: 'changed', number: first.position, id: first.id });
    }
  });
});

describe('A log with removed events', () => {
  it.each([1, 2])('names the place of the first of %i, or the cut', async (count) => {
    await fc.assert(
      fc.asyncProperty(sealed.rowsAt(count), async (gone) => {
        const faults = await sealed.faultsAfter((db) => {
          for (const { position } of gone) db.prepare('DELETE FROM events WHERE position = ?').run(position);
        });
        const first = gone[0] as Row;
        // Only a later seal could show that events after the last seal were cut off.
        fc.pre(first.position <= sealed.rows.length - count);
        expect(faults[0]).toMatchObject({ kind: 'missing', number: first.position });
      }),
      seeded,
    );
  });

  it('names the place, too, where all the rest was made to fit', async () => {
    await fc.assert(
      fc.asyncProperty(sealed.rowAt, async (row) => {
        fc.pre(row.position <= sealed.newest.statement.count && recorded(row).stream !== SEALS);
        const faults = await sealed.faultsOfForged((events) => events.filter(({ id }) => id !== row.id));
        expect(faults[0]).toMatchObject({ number: row.position });
      }),
      { ...seeded, numRuns: 15 },
    );
  });

  it('detects that the end was cut off, with a seal that was stored outside', async () => {
    for (const left of [0, 1, sealed.newest.statement.count - 1]) {
      const faults = await sealed.faultsAfter((db) => db.prepare('DELETE FROM events WHERE position > ?').run(left), {
        kept: sealed.newest,
      });
      expect(faults).toMatchObject([{ kind: 'cut_off', number: left + 1 }]);
    }
    const faults = await sealed.faultsAfter(
      (db) => db.prepare('DELETE FROM events WHERE position > ?').run(sealed.newest.statement.count),
      { kept: sealed.newest },
    );
    expect(faults).toMatchObject([{ kind: 'cut_off', number: sealed.newest.statement.count + 1 }]);
  });
});

describe('A log with reordered events', () => {
  const BODY = 'UPDATE events SET body = ? WHERE position = ?';

  it('names the first of two that were swapped, row for row', async () => {
    await fc.assert(
      fc.asyncProperty(sealed.rowsAt(2), async ([one, other]) => {
        if (one === undefined || other === undefined) return;
        const faults = await sealed.faultsAfter((db) => {
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
      fc.asyncProperty(sealed.rowsAt(2), async ([one, other]) => {
        if (one === undefined || other === undefined) return;
        const faults = await sealed.faultsAfter((db) => {
          db.prepare(BODY).run(other.body, one.position);
          db.prepare(BODY).run(one.body, other.position);
        });
        expect(faults[0]).toMatchObject({ kind: 'changed', number: one.position, id: one.id });
      }),
      seeded,
    );
  });

  it('names the first of two events of different streams that were swapped consistently', async () => {
    await fc.assert(
      fc.asyncProperty(sealed.rowsAt(2), async ([one, other]) => {
        if (one === undefined || other === undefined) return;
        fc.pre(one.stream !== other.stream && other.position <= sealed.newest.statement.count);
        fc.pre([one, other].every((row) => recorded(row).stream !== SEALS));
        const faults = await sealed.faultsOfForged((events) => {
          const [a, b] = [events[one.position - 1], events[other.position - 1]];
          if (a === undefined || b === undefined) throw new Error('there is no such row');
          return events.with(one.position - 1, b).with(other.position - 1, a);
        });
        expect(faults[0]?.number).toBe(one.position);
      }),
      { ...seeded, numRuns: 15 },
    );
  });
});

describe('A log with inserted events', () => {
  it('names an event that was inserted, chained and all', async () => {
    for (const index of [0, 17, 61, sealed.newest.statement.count - 4]) {
      const id = newEventId();
      const faults = await sealed.faultsOfForged((events) => {
        const like = events[index] as RecordedEvent;
        return events.toSpliced(index, 0, { ...like, id, stream: 'alien-1', type: 'alien.v1' });
      });
      expect(faults[0]).toMatchObject({ kind: 'inserted', number: index + 1, id });
    }
  });

  it('names an event that was replaced, with every later hash recomputed', async () => {
    for (const index of [0, 33, 88]) {
      let id = '';
      const faults = await sealed.faultsOfForged((events) => {
        const like = events[index] as RecordedEvent;
        id = like.id;
        return events.with(index, { ...like, data: { forged: true } });
      });
      expect(faults[0]).toMatchObject({ kind: 'changed', number: index + 1, id });
    }
  });
});

describe('D91: a log without the seal that the key store remembers', () => {
  const remembered = () => {
    const last = sealed.rows.filter((row) => recorded(row).stream === SEALS).at(-1) as Row;
    return rememberedSeal(recorded(last) as RecordedEvent<Sealed>, key);
  };
  const kindsAfter = async (change: (events: RecordedEvent[]) => readonly RecordedEvent[], seal = remembered()) => {
    const faults = await sealed.faultsOfForged(change, { remembered: seal });
    return faults.filter(({ kind }) => kind === 'seals_missing').map(({ id }) => id);
  };

  it('has that fault, although an event was changed and all else fits', async () => {
    const forge = (events: readonly RecordedEvent[]) =>
      events.filter(({ stream }) => stream !== SEALS).map((event, n) => (n === 33 ? { ...event, data: {} } : event));
    expect(await sealed.faultsOfForged(forge)).toEqual([]);
    expect(await kindsAfter(forge)).toEqual([remembered().id]);
  });

  it('has that fault if its end was cut off with the seal, and if events are missing that the seal covers', async () => {
    expect(await kindsAfter((events) => events.slice(0, sealed.newest.statement.count - 9))).toEqual([remembered().id]);
    expect(await kindsAfter((events) => events.toSpliced(3, 20))).toEqual([remembered().id]);
  });

  it('has that fault if what is remembered was signed by another', async () => {
    const foreign = rememberedSeal(
      { id: remembered().id, data: { ...sealed.newest, prints: '' } },
      new SealKey(Buffer.alloc(32, 8)),
    );
    expect(await kindsAfter((events) => events, foreign)).toEqual([foreign.id]);
  });

  it('has no fault if it has that seal, or later ones too', async () => {
    const [first] = sealed.rows.filter((row) => recorded(row).stream === SEALS);
    const early = rememberedSeal(recorded(first as Row) as RecordedEvent<Sealed>, key);
    for (const seal of [remembered(), early]) {
      expect((await sealed.verify(sealed.original, { remembered: seal })).faults).toEqual([]);
    }
  });

  it('has a bad seal if those before its first one are missing', async () => {
    const [first] = sealed.rows.filter((row) => recorded(row).stream === SEALS);
    const faults = await sealed.faultsOfForged((events) => events.filter(({ id }) => id !== first?.id));
    expect(faults).toContainEqual(
      expect.objectContaining({ message: `the log lacks the seal ${first?.id} before it` }),
    );
  });

  it('names the events with which operators have accepted such a loss', async () => {
    const id = newEventId();
    const file = sealed.tamper(() => undefined);
    const log = withHashChain(openSqliteEventLog({ file }));
    const { metadata } = recorded(sealed.rows[0] as Row);
    const lost = { id: 'gone', count: 1, root: 'r' };
    await log.append(SEALS, 'any', [
      { id, type: LOSS_ACCEPTED, data: { lost }, metadata: { ...metadata, at: Date.now() } },
    ]);
    await log.close();
    expect(await sealed.verify(file)).toMatchObject({ faults: [], acceptedLosses: [id] });
  });
});

describe('A log with a seal that is not what it was', () => {
  const sealRow = () => sealed.rows.filter((row) => recorded(row).stream === SEALS)[2] as Row;
  const resealed = (change: (seal: RecordedEvent) => object) =>
    sealed.faultsOfForged((events) =>
      events.map((event) => (event.id === sealRow().id ? { ...event, data: change(event) } : event)),
    );

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

  it('names one that says that another key signed it', async () => {
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
    const [older] = sealed.rows.filter((row) => recorded(row).stream === SEALS);
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

  it('names one whose checkpoint is of another seal, or not signed by its key', async () => {
    const [older] = sealed.rows.filter((row) => recorded(row).stream === SEALS);
    const { checkpoint } = recorded(older as Row).data as Seal;
    const { statement } = sealed.newest;
    const foreign = signedCheckpoint('log/any', statement, new SealKey(Buffer.alloc(32, 8)));
    for (const other of [checkpoint, foreign]) {
      const faults = await resealed(({ data: content }) => ({ ...(content as Seal), checkpoint: other }));
      const message = 'its checkpoint is not that of its statement';
      expect(faults).toContainEqual(expect.objectContaining({ kind: 'bad_seal', id: sealRow().id, message }));
    }
  });

  it('refuses the seal of another installation, and a stored seal that was changed', async () => {
    const { faults } = await sealed.verify(sealed.original, {}, new SealKey(Buffer.alloc(32, 8)).publicKey);
    expect(faults[0]).toMatchObject({ kind: 'bad_seal' });
    const kept = { ...sealed.newest, statement: { ...sealed.newest.statement, count: 1 } };
    expect((await sealed.verify(sealed.original, { kept })).faults).toMatchObject([{ kind: 'bad_seal', number: 0 }]);
  });
});
