import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { csvRecord } from './csv-record.js';

it('D52: every cell is quoted, also an empty one, and a record ends with CRLF', () => {
  expect(csvRecord(['a', 1, true, false, null, ''])).toBe('"a","1","true","false","",""\r\n');
});

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])('D52: %j is disarmed', (cell) => {
  expect(csvRecord([cell])).toBe(`"'${cell}"\r\n`);
});

it.each([' =1', 'a=1', "'=1", '\n=1', '＝1', ''])('%j is left as it is', (cell) => {
  expect(csvRecord([cell])).toBe(`"${cell}"\r\n`);
});

it('D52: a negative number begins with a minus like any other cell', () => {
  expect(csvRecord([-1])).toBe('"\'-1"\r\n');
});

it('any text of a cell is read back from that cell, and does not change the next one', () => {
  const hostile = fc.array(fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', '=', '-', "'", 'a', ';') }), {
    minLength: 1,
  });
  fc.assert(
    fc.property(hostile, (cells) => {
      const text = csvRecord(cells);
      const quoted = [...text.matchAll(/"((?:[^"]|"")*)"(,|\r\n)/gy)];
      expect(quoted.map(([whole]) => whole).join('')).toBe(text);
      const read = quoted.map(([, cell = '']) => cell.replaceAll('""', '"'));
      expect(read.map((cell) => (/^'[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell))).toEqual(
        cells.map((cell) => (/^'[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell)),
      );
      for (const cell of read) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
    }),
  );
});
