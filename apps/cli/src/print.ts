import { inspect } from 'node:util';

/** With `--json` one value on one line and nothing else; else for people. */
export const print = (value: unknown, isJson: boolean): void => {
  if (isJson) process.stdout.write(`${JSON.stringify(value)}\n`);
  else if (Array.isArray(value)) printTable(value);
  else printFields(value as object);
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
  return typeof value === 'string' ? value : inspect(value);
};
