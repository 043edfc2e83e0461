import { copyFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { openSqliteEventLog, openSqliteStoredLog } from '#event-log';
import { type EventLog, HOUR, newEventId, type RecordedEvent, type StreamName } from '#kernel';
import { hashEvent, NO_HASH } from '../event-hash.js';
import { withHashChain } from '../hash-chain.js';
import { parseSeal, SEALS, type Seal, SealKey } from '../seal.js';
import { Sealing } from '../sealing.js';
import type { Fault } from './fault.js';
import { type VerifyOptions, verifyLog } from './verify-log.js';

const NOW = 1_767_225_600_000;
const STREAMS = 12;
const APPENDS = 150;
const SEAL_EVERY = 40;
export const key = new SealKey(Buffer.alloc(32, 7));

export interface Row {
  readonly position: number;
  readonly stream: number;
  readonly revision: number;
  readonly kind: number;
  readonly id: string;
  readonly body: string;
}

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

/** A log with seals in a file, and copies of it that somebody has changed. */
export class SealedLog {
  private copies = 0;

  private constructor(
    private readonly directory: string,
    readonly original: string,
    readonly newest: Seal,
    readonly rows: readonly Row[],
  ) {}

  static async write(): Promise<SealedLog> {
    const directory = await mkdtemp(join(tmpdir(), 'verify-'));
    const original = join(directory, 'events.db');
    const log = withHashChain(openSqliteEventLog({ file: original }));
    await fill(log);
    const [last] = await log.readStream(SEALS, { direction: 'backwards', limit: 1 });
    await log.close();
    const db = new DatabaseSync(original, { readOnly: true });
    const rows = db.prepare('SELECT * FROM events ORDER BY position').all() as unknown as Row[];
    db.close();
    return new SealedLog(directory, original, parseSeal(last?.data) as Seal, rows);
  }

  remove(): Promise<void> {
    return rm(this.directory, { recursive: true });
  }

  /** The file of a copy that was changed. */
  tamper(change: (db: DatabaseSync) => void): string {
    const file = join(this.directory, `tampered-${this.copies++}.db`);
    copyFileSync(this.original, file);
    const db = new DatabaseSync(file);
    change(db);
    db.close();
    return file;
  }

  async verify(file: string, options: VerifyOptions = {}, publicKey = key.publicKey) {
    const log = openSqliteStoredLog(file);
    try {
      return await verifyLog(log, publicKey, options);
    } finally {
      await log.close();
    }
  }

  async faultsAfter(change: (db: DatabaseSync) => void, options?: VerifyOptions): Promise<readonly Fault[]> {
    const file = this.tamper(change);
    const { faults } = await this.verify(file, options);
    await rm(file);
    return faults;
  }

  /** The faults of a copy with other events, whose hashes fit. */
  faultsOfForged(
    change: (events: RecordedEvent[]) => readonly RecordedEvent[],
    options?: VerifyOptions,
  ): Promise<readonly Fault[]> {
    return this.faultsAfter((db) => {
      const forger = new Forger(db);
      forger.write(change(forger.events()));
    }, options);
  }

  get rowAt(): fc.Arbitrary<Row> {
    return fc.nat().map((n) => this.rows[n % this.rows.length] as Row);
  }

  /** Different rows, in the log's order. */
  rowsAt(count: number): fc.Arbitrary<Row[]> {
    const indexOf = (n: number) => n % this.rows.length;
    return fc
      .uniqueArray(fc.nat({ max: 1_000_000 }), { minLength: count, maxLength: count, selector: indexOf })
      .map((numbers) => numbers.map((n) => this.rows[indexOf(n)] as Row).toSorted((a, b) => a.position - b.position));
  }
}

export const seeded = { numRuns: 25, seed: 7_2026 };

export const recorded = ({ body }: Row) => JSON.parse(body) as RecordedEvent;
export const nameOf = (row: Row) => ({ id: row.id, stream: recorded(row).stream });

/** Somebody who knows the format can compute bodies and hashes again, but cannot make seals. */
class Forger {
  constructor(private readonly db: DatabaseSync) {}

  events(): RecordedEvent[] {
    const all = this.db.prepare('SELECT body FROM events ORDER BY position').all() as { body: string }[];
    return all.map(({ body }) => JSON.parse(body) as RecordedEvent);
  }

  /** The whole log again: streams counted and chained again, positions without a gap. */
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
