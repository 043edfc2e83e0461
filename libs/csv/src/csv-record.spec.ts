import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { withoutInvisible } from '#kernel';
import { csvRecord } from './csv-record.js';

it('D52: every cell is quoted, also an empty one, and a record ends with CRLF', () => {
  expect(csvRecord(['a', 1, true, false, null, ''])).toBe('"a","1","true","false","",""\r\n');
});

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '\tx', '\rx', '\nx'])(
  'D52: %j is disarmed',
  (cell) => {
    expect(csvRecord([cell])).toBe(`"'${cell}"\r\n`);
  },
);

it.each([
  ['a blank', ' =1'],
  ['a no-break space', '\u00a0+1'],
  ['an ideographic space', '\u3000@SUM(A1)'],
  ['a zero-width space', '\u200b=1'],
  ['a byte order mark', '\ufeff-1'],
  ['a Hangul filler', '\u3164=1'],
  ['a blank Braille pattern', '\u2800=1'],
  ['a soft hyphen and a blank', '\u00ad =1'],
])('D52: a formula behind %s is disarmed', (_what, cell) => {
  expect(csvRecord([cell])).toBe(`"'${cell}"\r\n`);
});

it.each(['＝1', '＋1', '－1', '＠SUM(A1)', '\u200b ＝1'])('D52: a full-width sign is disarmed: %j', (cell) => {
  expect(csvRecord([cell])).toBe(`"'${cell}"\r\n`);
});

it.each(['a=1', ' a', "'=1", '\u200ba', '\u2800', '×1', ''])('%j is left as it is', (cell) => {
  expect(csvRecord([cell])).toBe(`"${cell}"\r\n`);
});

it('D52: a negative number begins with a minus like any other cell', () => {
  expect(csvRecord([-1])).toBe('"\'-1"\r\n');
});

it('any text of a cell is read back from that cell, does not change the next one, and is no formula', () => {
  const syntax = ['"', ',', '\r', '\n', '=', '-', '＝', "'", 'a', ';', ' ', '\u200b', '\u3164'];
  const hostile = fc.array(fc.string({ unit: fc.oneof(fc.constantFrom(...syntax), fc.string()) }), { minLength: 1 });
  fc.assert(
    fc.property(hostile, (cells) => {
      const text = csvRecord(cells);
      const quoted = [...text.matchAll(/"((?:[^"]|"")*)"(,|\r\n)/gy)];
      expect(quoted.map(([whole]) => whole).join('')).toBe(text);
      const read = quoted.map(([, cell = '']) => cell.replaceAll('""', '"'));
      expect(read).toHaveLength(cells.length);
      for (const [at, cell] of read.entries()) {
        expect([cells[at], `'${cells[at]}`]).toContain(cell);
        expect(cell).not.toMatch(/^[\t\r\n]/);
        expect(withoutInvisible(cell)).not.toMatch(/^[=+\-@＝＋－＠]/);
      }
    }),
  );
});
