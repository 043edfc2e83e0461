import { DatabaseSync } from 'node:sqlite';
import { ensureSchema } from './schema.js';

/** The tables of `ANALYZE` have statistics only, and nothing of events. */
const STATISTICS = /^sqlite_stat\d$/;

/**
 * The differences of the file's schema from that of an event log. A trigger or a view can change or hide events at each
 * write or read, a foreign index can run an expression, and a table may be another one under the same name.
 */
export function schemaFaults(db: DatabaseSync): string[] {
  const own = ownSchema();
  const found = schemaOf(db);
  const foreign = [...found]
    .filter(([name, sql]) => own.get(name) !== sql)
    .map(([name]) =>
      own.has(name) ? `the ${name} is not defined as the log's own` : `the ${name} is not the log's own`,
    );
  const missing = [...own.keys()].filter((name) => !found.has(name)).map((name) => `the ${name} is missing`);
  return [...foreign, ...missing];
}

function ownSchema(): ReadonlyMap<string, string> {
  const db = new DatabaseSync(':memory:');
  try {
    ensureSchema(db);
    return schemaOf(db);
  } finally {
    db.close();
  }
}

function schemaOf(db: DatabaseSync): ReadonlyMap<string, string> {
  const rows = db.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema').all();
  return new Map(
    rows
      .filter(({ name }) => !STATISTICS.test(String(name)))
      .map(({ type, name, tbl_name, sql }) => [
        `${type} ${name}`,
        `${tbl_name} ${String(sql ?? '').replaceAll(/\s+/g, ' ')}`,
      ]),
  );
}
