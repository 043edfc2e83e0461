import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqliteDocumentStore } from '#document-store';
import type { Document } from '#kernel';
import { middleRound, SCALE } from './figures.js';

const BATCH = 500;
const ROUNDS = 10;
const BATCHES = Math.max(2, Math.round(10 * SCALE));
const DOCUMENTS = Math.max(BATCH, Math.round(20_000 * SCALE));

interface Creator extends Document {
  readonly workspaceId: string;
  readonly position: number;
  readonly status: string;
  readonly aliases: readonly string[];
  readonly note: string;
}

/** About 500 bytes of JSON; the same ids come again and again, so that most puts replace. */
const creator = (number: number): Creator => ({
  id: `crt_${String((number * 7919) % DOCUMENTS).padStart(26, '0')}`,
  workspaceId: `wsp_${number % 50}`,
  position: number,
  status: number % 3 === 0 ? 'protected' : 'enrolled',
  aliases: ['first alias', 'second alias'],
  note: 'x'.repeat(320),
});

const INDEXES = [
  { name: 'by_workspace', fields: ['workspaceId', 'position'] },
  { name: 'by_status', fields: ['status'] },
];

/** Documents a second put in batches with a checkpoint, against the same rows by a bare statement in a transaction. */
export default {
  name: `upserts of ${BATCH} documents a write, against a bare statement`,
  wanted: 0.5,
  async run(dir: string) {
    const store = openSqliteDocumentStore({ file: join(dir, 'store.db') });
    await store.ensure([{ name: 'creators', indexes: INDEXES }]);
    const bare = openBare(join(dir, 'bare.db'));
    const values: number[] = [];
    const floors: number[] = [];
    // The first round fills both files; it is not counted.
    for (let round = 0; round <= ROUNDS; round++) {
      const batches = round === 0 ? Math.ceil(DOCUMENTS / BATCH) : BATCHES;
      const documents = Array.from({ length: batches }, (_, batch) =>
        Array.from({ length: BATCH }, (_, n) => creator((round * BATCHES + batch) * BATCH + n)),
      );
      const runs = [
        async () => floors.push(await perSecond(documents, async (batch) => bare.put(batch))),
        async () =>
          values.push(
            await perSecond(documents, (put, batch) =>
              store.write([{ collection: 'creators', put }], { name: 'bench', position: batch, fence: 1 }),
            ),
          ),
      ];
      // Who goes first changes, because the first to serialize new documents pays for flattening their strings.
      for (const run of round % 2 === 0 ? runs : runs.toReversed()) await run();
    }
    await store.close();
    bare.close();
    return { ...middleRound(values.slice(1), floors.slice(1)), unit: 'documents/s' };
  },
};

const perSecond = async (
  batches: readonly Creator[][],
  put: (batch: Creator[], number: number) => Promise<void>,
): Promise<number> => {
  const began = performance.now();
  for (const [number, batch] of batches.entries()) await put(batch, number);
  return (batches.length * BATCH * 1_000) / (performance.now() - began);
};

/** The same columns and indexes under the same settings. */
const openBare = (file: string) => {
  const database = new DatabaseSync(file);
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    PRAGMA wal_autocheckpoint = 10000;
    PRAGMA cache_size = -32768;
    CREATE TABLE creators (id TEXT PRIMARY KEY NOT NULL, document TEXT NOT NULL, workspaceId, position, status);
    CREATE INDEX by_workspace ON creators (workspaceId, position, id);
    CREATE INDEX by_status ON creators (status, id);
  `);
  const upsert = database.prepare(`
    INSERT INTO creators VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET document = excluded.document,
      workspaceId = excluded.workspaceId, position = excluded.position, status = excluded.status`);
  return {
    put(batch: readonly Creator[]): void {
      database.exec('BEGIN IMMEDIATE');
      for (const document of batch) {
        const { id, workspaceId, position, status } = document;
        upsert.run(id, JSON.stringify(document), workspaceId, position, status);
      }
      database.exec('COMMIT');
    },
    close: () => database.close(),
  };
};
