import { constants, DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from '@jest/globals';
import type { Document, IndexDefinition, IndexedValue, RangeQuery } from '#kernel';
import { tableOf } from './catalogue.js';
import { rangeStatements } from './documents.js';
import { openSqliteDocumentStore } from './open.js';
import { temporaryFiles } from './testing/temporary-files.js';

const INDEXES: IndexDefinition[] = [
  { name: 'by_id', fields: [] },
  { name: 'by_one', fields: ['a'] },
  { name: 'by_three', fields: ['a', 'b', 'c'] },
  { name: 'by_two', fields: ['b', 'c'] },
];
const BOUNDS: Partial<RangeQuery>[] = [
  {},
  { gt: 1 },
  { gte: 1 },
  { lt: 5 },
  { lte: 5 },
  { gt: 1, lt: 5 },
  { gte: 1, lte: 5 },
];

const shapes = INDEXES.flatMap((index) =>
  Array.from({ length: index.fields.length + 1 }, (_, count) => count).flatMap((count) =>
    [1, null].flatMap((value: IndexedValue) =>
      BOUNDS.flatMap((bounds) =>
        (['ascending', 'descending'] as const).map((order): [string, IndexDefinition, RangeQuery] => {
          const query = { index: index.name, equals: Array(count).fill(value), order, limit: 10, ...bounds };
          return [JSON.stringify(query), index, query];
        }),
      ),
    ),
  ),
);

describe('plans of the embedded document store', () => {
  const file = temporaryFiles()();
  const definition = { name: 'things', indexes: INDEXES };

  const aDatabase = async (): Promise<DatabaseSync> => {
    const store = openSqliteDocumentStore({ file });
    await store.ensure([definition]);
    await store.close();
    return new DatabaseSync(file);
  };

  const planOf = (database: DatabaseSync, sql: string): string =>
    database
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...Array(sql.split('?').length - 1).fill(1))
      .map(({ detail }) => String(detail))
      .join('; ');

  it('reads every range along its index, in the order of the index', async () => {
    const database = await aDatabase();
    for (const [name, index, query] of shapes) {
      for (const { sql } of rangeStatements('things', index, query)) {
        const plan = planOf(database, sql);
        const seeks = (query.equals?.length ?? 0) > 0 || / [<>]=? | IS NULL/.test(sql);
        const expected = `${seeks ? 'SEARCH' : 'SCAN'} things USING INDEX`;
        expect({ name, plan }).toEqual({ name, plan: expect.stringMatching(`^${expected} \\S+(?: \\([^;]*\\))?$`) });
        // Every condition narrows what is read, instead of being checked row by row.
        const conditions = sql.match(/ (?:[<>]=?|=) \?| IS NULL/g)?.length ?? 0;
        expect({ name, narrowed: plan.match(/[<>=][?]/g)?.length ?? 0 }).toEqual({ name, narrowed: conditions });
      }
    }
    database.close();
  });

  it('reads nothing but the index for what the index knows', async () => {
    const database = await aDatabase();
    for (const [name, index, query] of shapes) {
      for (const { sql } of rangeStatements('things', index, query, ['id', ...index.fields])) {
        const plan = planOf(database, sql);
        expect({ name, plan }).toEqual({ name, plan: expect.stringContaining('things USING COVERING INDEX') });
      }
    }
    database.close();
  });

  it('plans a statement once, for all values and limits', async () => {
    const database = await aDatabase();
    let planned = 0;
    // SQLite calls this when it plans a statement, but not when it runs one.
    database.setAuthorizer(() => {
      planned++;
      return constants.SQLITE_OK;
    });
    for (const [name, index, query] of shapes) {
      for (const { sql, values } of rangeStatements('things', index, query)) {
        const statement = database.prepare(sql);
        for (const limit of [1, 2]) {
          planned = 0;
          statement.all(...values.map(() => limit), limit);
          expect({ name, planned }).toEqual({ name, planned: 0 });
        }
      }
    }
    database.close();
  });

  it('does not update an index that is created later, and rewrites no document for it', async () => {
    const store = openSqliteDocumentStore({ file });
    const later = { name: 'filled', indexes: [] as IndexDefinition[], later: INDEXES };
    await store.ensure([later]);
    await store.write([{ collection: 'filled', put: [{ id: 'one', a: 1 } as Document] }]);
    const database = new DatabaseSync(file);
    const of = (what: string) => database.prepare(`SELECT ${what} FROM sqlite_master WHERE tbl_name = 'filled'`).all();
    const [columns, own] = [of('sql')[0], of('name').length];
    await store.ensure([{ name: 'filled', indexes: INDEXES }]);
    expect(of('sql')[0]).toEqual(columns);
    expect(of('name')).toHaveLength(own + 3);
    database.close();
    await store.close();
  });

  it('finds documents by id without a scan', () => {
    const database = new DatabaseSync(file);
    const { get, getMany, remove } = tableOf(definition);
    for (const sql of [get, getMany, remove]) expect(planOf(database, sql)).toContain('SEARCH things USING ');
    database.close();
  });
});
