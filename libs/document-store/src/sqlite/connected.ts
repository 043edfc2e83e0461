import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { type Document, openDatabase, runInTransaction, SECOND } from '#kernel/ports';
import { indexedValue } from '../definitions.js';

type Row = Record<string, SQLOutputValue>;

export class Connection {
  private readonly statements = new Map<string, StatementSync>();
  private readonly columns = new Map<string, StatementSync>();

  constructor(
    private readonly database: DatabaseSync,
    private readonly keepsStatements: boolean,
  ) {}

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.statement(sql).all(...values);
  }

  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.statement(sql).get(...values);
  }

  texts(sql: string, ...values: SQLInputValue[]): string[] {
    const rows = this.arrays(sql, ...values) as unknown as (readonly [text: string])[];
    return rows.map(([text]) => text);
  }

  /** Each row's values in the order of the columns: an array takes half the time of an object. */
  arrays(sql: string, ...values: SQLInputValue[]): (readonly SQLOutputValue[])[] {
    const query = this.statement(sql, this.columns);
    query.setReturnArrays(true);
    return query.all(...values) as unknown as (readonly SQLOutputValue[])[];
  }

  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.statement(sql).run(...values).changes);
  }

  /** The task reads one state of the file, even if others write at the same time. */
  reading<T>(task: () => T): T {
    return runInTransaction(this.database, task, 'read');
  }

  /** The task is the only writer, in all processes, and is done completely or not at all. */
  writing<T>(task: () => T): T {
    return runInTransaction(this.database, task);
  }

  apart<T>(task: () => T): T {
    this.run('SAVEPOINT part');
    try {
      const result = task();
      this.run('RELEASE part');
      return result;
    } catch (error) {
      if (this.inTransaction) {
        this.run('ROLLBACK TO part');
        this.run('RELEASE part');
      }
      throw error;
    }
  }

  /** False also if SQLite has rolled back by its own decision, for example on a full disk. */
  get inTransaction(): boolean {
    return this.database.isTransaction;
  }

  forget(): void {
    this.statements.clear();
    this.columns.clear();
  }

  close(): void {
    this.forget();
    if (this.database.isOpen) this.database.close();
  }

  private statement(sql: string, prepared = this.statements): StatementSync {
    const known = prepared.get(sql);
    if (known !== undefined) return known;
    const statement = this.database.prepare(sql);
    if (this.keepsStatements) prepared.set(sql, statement);
    return statement;
  }
}

/** Fills the columns of new indexes; the connection must have it as a function of document and field. */
export const INDEXED_VALUE = 'indexed_value';

/** How long a writer waits for the writers of other processes. */
export const BUSY_TIMEOUT = 5 * SECOND;

interface Settings {
  readonly cacheKib: number;
  readonly pageBytes?: number;
  /** After how many written pages the write-ahead log is copied into the file. */
  readonly checkpointPages?: number;
  readonly blocksFor?: number;
  readonly busyFor?: number;
  readonly caches?: boolean;
}

const JOURNAL_BYTES = 64 * 1024 * 1024;

const USUAL = {
  /** Twice SQLite's default: a document of common size shares its page with ten others; an index has half the pages. */
  pageBytes: 8_192,
  checkpointPages: 5_000,
  blocksFor: BUSY_TIMEOUT,
  busyFor: BUSY_TIMEOUT,
  caches: true,
};

export const connected = <T>(file: string, settings: Settings, use: (connection: Connection) => T): T => {
  const { cacheKib, checkpointPages, caches, ...whole } = { ...USUAL, ...settings };
  const pragmas = [`wal_autocheckpoint = ${checkpointPages}`, `cache_size = -${cacheKib}`];
  return openDatabase(file, { ...whole, synchronous: 'NORMAL', journalBytes: JOURNAL_BYTES, pragmas }, (database) => {
    database.function(INDEXED_VALUE, { deterministic: true, directOnly: true }, (document, field) =>
      indexedValue(JSON.parse(String(document)) as Document, String(field)),
    );
    return use(new Connection(database, caches));
  });
};
