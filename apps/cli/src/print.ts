import type { Writable } from 'node:stream';
import { inspect } from 'node:util';
import { NEVER, withoutMark } from '#kernel';
import { written } from './output.js';

/** One item of a stream: text for people, or one JSON object per line. */
export interface Printable {
  toString(): string;
  toJSON(): object;
}

export class Text implements Printable {
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

/** The result of a check that failed. It is printed like other results, and the exit status is 1. */
export class FailedCheck extends Text {}

/** Prints one value or item per line with `--json`. Rejects with `OutputFailed`. */
export const print = async (value: unknown, isJson: boolean, out: Writable): Promise<void> => {
  if (isSequence(value)) await printEach(value, isJson, out);
  else await written(out, isJson ? `${jsonText(value)}\n` : textOf(value));
};

/** As JSON, with plain `[erased]` and `[encrypted]`. The output must not be recorded. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value, (_name, member: unknown) => (typeof member === 'string' ? withoutMark(member) : member));

const textOf = (value: unknown): string => {
  if (value instanceof Text) return withLastLineEnded(`${value}`);
  return Array.isArray(value) ? tableOf(value) : fieldsOf(value as object);
};

const withLastLineEnded = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`);

const isSequence = (value: unknown): value is AsyncIterable<Printable> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

const printEach = async (items: AsyncIterable<Printable>, isJson: boolean, out: Writable): Promise<void> => {
  for await (const item of items) await written(out, isJson ? `${jsonText(item)}\n` : `${item}\n\n`);
};

const fieldsOf = (fields: object): string => {
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  return Object.entries(fields)
    .map(([name, value]) => `${name.padEnd(width)}  ${readable(withIsoTime(name, value))}\n`)
    .join('');
};

const tableOf = (rows: readonly object[]): string => (rows.length === 0 ? 'none\n' : rows.map(fieldsOf).join('\n'));

const readable = (value: unknown): string => {
  if (value === null || value === undefined) return '–';
  const shown: unknown = JSON.parse(jsonText(value), withIsoTime);
  if (Array.isArray(shown) && !shown.some(isObject)) return shown.join(' ');
  return typeof shown === 'string' ? shown : inspect(shown, { depth: null });
};

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** Names of times: `at`, `created_at`, and `registeredAt` in states and events. */
const TIME_NAME = /(?:^a|_a|A)t$/;

const withIsoTime = (name: string, value: unknown): unknown => {
  if (typeof value !== 'number' || !TIME_NAME.test(name)) return value;
  return value >= NEVER ? 'never' : new Date(value).toISOString();
};
