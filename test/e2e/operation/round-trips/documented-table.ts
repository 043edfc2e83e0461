import { readFileSync, writeFileSync } from 'node:fs';
import { KINDS, type StoreCalls } from '../../../support/store-calls.js';

const PAGE = new URL('README.md', import.meta.url);

/** The table of one section of the README. `WRITE_ROUND_TRIPS=1` writes what was measured into it. */
export class DocumentedTable {
  private readonly measured: string[] = [];

  constructor(private readonly section: string) {}

  /** The rows of that name, as they are documented. */
  rowsOf(name: string): string[] {
    return this.rows().filter((row) => nameOf(row) === name || nameOf(row).startsWith(`${name} → `));
  }

  /** Keeps what was measured, and returns what is to be documented: that, or what is documented already. */
  expectedFor(name: string, measured: readonly string[]): readonly string[] {
    this.measured.push(...measured);
    return process.env.WRITE_ROUND_TRIPS === '1' ? measured : this.rowsOf(name);
  }

  /** The documented rows that nothing was measured for. */
  unmeasured(): string[] {
    const names = new Set(this.measured.map(nameOf));
    return this.rows()
      .map(nameOf)
      .filter((name) => !names.has(name));
  }

  write(): void {
    if (process.env.WRITE_ROUND_TRIPS !== '1') return;
    const text = readFileSync(PAGE, 'utf8');
    const rows = this.rows();
    const head = text.slice(0, this.end(text)).trimEnd();
    const kept = rows.length === 0 ? head : head.slice(0, head.indexOf(rows[0] ?? '')).trimEnd();
    writeFileSync(PAGE, `${kept}\n${this.measured.join('\n')}\n${text.slice(this.end(text))}`);
  }

  private rows(): string[] {
    const text = readFileSync(PAGE, 'utf8');
    const section = text.slice(text.indexOf(`## ${this.section}\n`), this.end(text));
    return section
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .slice(2);
  }

  /** Where the next section begins. */
  private end(text: string): number {
    const next = text.indexOf('\n## ', text.indexOf(`## ${this.section}\n`));
    return next === -1 ? text.length : next;
  }
}

const nameOf = (row: string): string => row.split(' | ')[0]?.slice('| '.length) ?? '';

/** One row; `cold` is the same work in a process that has just started. */
export const rowOf = (name: string, calls: StoreCalls, cold?: StoreCalls): string => {
  const cells = [name, String(calls.rounds), ...KINDS.map((kind) => calls.textOf(kind)), cold?.moreThan(calls) ?? ''];
  return `| ${cells.join(' | ')} |`;
};
