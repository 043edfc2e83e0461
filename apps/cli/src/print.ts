import { once } from 'node:events';
import { inspect } from 'node:util';

/** One of many things, told as it comes: as text to people, as one JSON object on a line of its own to programs. */
export interface Told {
  toString(): string;
  toJSON(): object;
}

/** A text that was made for people, and what it says as JSON. */
export class Text implements Told {
  constructor(
    private readonly text: string,
    private readonly value: object,
  ) {}

  toJSON(): object {
    return this.value;
  }

  toString(): string {
    return this.text;
  }
}

/** A result that is not as it should be: printed like any other, and the tool ends with status 1. */
export class Alarm extends Text {}

/** With `--json` one value on one line (of what comes one by one: each) and nothing else; else for people. */
export const print = async (value: unknown, isJson: boolean): Promise<void> => {
  if (isSequence(value)) await printEach(value, isJson);
  else if (isJson) process.stdout.write(`${JSON.stringify(value)}\n`);
  else if (value instanceof Text) process.stdout.write(withLastLineEnded(`${value}`));
  else if (Array.isArray(value)) printTable(value);
  else printFields(value as object);
};

const withLastLineEnded = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`);

const isSequence = (value: unknown): value is AsyncIterable<Told> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

const printEach = async (items: AsyncIterable<Told>, isJson: boolean): Promise<void> => {
  for await (const item of items) {
    if (!process.stdout.write(isJson ? `${JSON.stringify(item)}\n` : `${item}\n\n`)) {
      await once(process.stdout, 'drain');
    }
  }
};

const printFields = (fields: object): void => {
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  for (const [name, value] of Object.entries(fields)) {
    process.stdout.write(`${name.padEnd(width)}  ${readable(value)}\n`);
  }
};

const printTable = (rows: readonly object[]): void => {
  if (rows.length === 0) process.stdout.write('none\n');
  for (const [index, row] of rows.entries()) {
    if (index > 0) process.stdout.write('\n');
    printFields(row);
  }
};

const readable = (value: unknown): string => {
  if (value === null || value === undefined) return '–';
  if (Array.isArray(value)) return value.join(' ');
  return typeof value === 'string' ? value : inspect(JSON.parse(JSON.stringify(value)), { depth: null });
};
