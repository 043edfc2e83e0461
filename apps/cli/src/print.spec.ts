import { Writable } from 'node:stream';
import { expect, it } from '@jest/globals';
import { ENCRYPTED, ERASED, NEVER } from '#kernel';
import { print } from './print.js';

const printed = async (value: unknown, isJson: boolean): Promise<string> => {
  let text = '';
  const out = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  await print(value, isJson, out);
  return text;
};

const AT = Date.UTC(2026, 10, 25, 12);
const VALUE = { created_at: AT, revoked_at: null, attempts: AT, creator: { events: [{ at: AT }], dueAt: NEVER } };

it('people read times in ISO 8601, programs epoch milliseconds', async () => {
  expect(await printed(VALUE, false)).toBe(
    [
      'created_at  2026-11-25T12:00:00.000Z',
      'revoked_at  –',
      `attempts    ${AT}`,
      "creator     { events: [ { at: '2026-11-25T12:00:00.000Z' } ], dueAt: 'never' }",
      '',
    ].join('\n'),
  );
  expect(await printed(VALUE, true)).toBe(`${JSON.stringify(VALUE)}\n`);
});

it('a list within a result shows its texts in one line, and objects with their members', async () => {
  const value = { types: ['case.created', 'case.deleted'], methods: [{ brand: 'Visa', last4: '4242' }], none: [] };
  expect(await printed(value, false)).toBe(
    ['types    case.created case.deleted', "methods  [ { brand: 'Visa', last4: '4242' } ]", 'none     ', ''].join('\n'),
  );
});

it('stand-ins are shown without their mark, and what resembles one as it came (D86)', async () => {
  const escaped = String.raw`\u001a[erased]`;
  const value = { name: ERASED, urls: [ENCRYPTED, escaped], creator: { name: ERASED, url: escaped } };
  expect(await printed(value, false)).toBe(
    [
      'name     [erased]',
      `urls     [encrypted] ${escaped}`,
      String.raw`creator  { name: '[erased]', url: '\\u001a[erased]' }`,
      '',
    ].join('\n'),
  );
  expect(JSON.parse(await printed(value, true))).toEqual({
    name: '[erased]',
    urls: ['[encrypted]', escaped],
    creator: { name: '[erased]', url: escaped },
  });
});
