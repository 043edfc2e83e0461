import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { runInTransaction } from '#kernel/ports';

type Row = Record<string, SQLOutputValue>;

/** One open file, with each SQL text prepared once. */
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

  /** The task reads one state of the file, also if others write at the same time. */
  reading<T>(task: () => T): T {
    return runInTransaction(this.database, task, 'read');
  }

  /** The task is the only writer, in this process and in others, and is done completely or not at all. */
  writing<T>(task: () => T): T {
    return runInTransaction(this.database, task);
  }

  /** A part of a `writing` that can fail alone. */
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

  /** False also if SQLite has rolled back on its own initiative, as on a full disk. */
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
