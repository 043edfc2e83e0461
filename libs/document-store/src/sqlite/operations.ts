import type { Checkpoint, CollectionDefinition, IndexedValue, Instant } from '#kernel/ports';
import type { Catalogue } from './catalogue.js';
import { giveBackLease, moveCheckpoint, requireLeader, takeLease } from './claims.js';
import type { Connection } from './connected.js';
import { type Rows, removeRows, replaceRow, storeRows } from './documents.js';
import { createCollections, dropCollection } from './schema.js';

interface File {
  readonly connection: Connection;
  readonly catalogue: Catalogue;
}

export interface RowsToWrite extends Rows {
  readonly remove: readonly string[];
}

export const OPERATIONS = {
  write({ connection, catalogue }: File, writes: readonly RowsToWrite[], checkpoint?: Checkpoint): void {
    if (checkpoint !== undefined) moveCheckpoint(connection, checkpoint);
    for (const rows of writes) {
      const table = catalogue.table(rows.collection);
      removeRows(connection, table, rows.remove);
      storeRows(connection, table, rows, table.put);
    }
  },
  compareAndSet(
    { connection, catalogue }: File,
    row: Rows,
    expected: Readonly<Record<string, IndexedValue>> | null,
    fence?: number,
  ): boolean {
    if (fence !== undefined) requireLeader(connection, fence);
    return replaceRow(connection, catalogue.table(row.collection), row, expected);
  },
  acquireLease: ({ connection }: File, name: string, holder: string, now: Instant, until: Instant) =>
    takeLease(connection, name, holder, now, until),
  releaseLease: ({ connection }: File, name: string, holder: string) => giveBackLease(connection, name, holder),
  ensure: ({ connection }: File, collections: readonly CollectionDefinition[]) =>
    createCollections(connection, collections),
  drop: ({ connection }: File, collection: string) => dropCollection(connection, collection),
};

export type Operation = keyof typeof OPERATIONS;
export type Arguments<O extends Operation> = (typeof OPERATIONS)[O] extends (file: File, ...rest: infer Rest) => unknown
  ? Rest
  : never;
export type Result<O extends Operation> = ReturnType<(typeof OPERATIONS)[O]>;

export type Task<O extends Operation = Operation> = readonly [O, ...Arguments<O>];

export const perform = (file: File, [operation, ...rest]: Task): unknown => {
  const task = OPERATIONS[operation] as (file: File, ...rest: unknown[]) => unknown;
  return task(file, ...rest);
};
