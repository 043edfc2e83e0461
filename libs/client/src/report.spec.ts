import { describe, expect, it } from '@jest/globals';
import { readCsv } from './report.js';
import { itemsOf, refused, ScriptedService } from './scripted-service.fixtures.js';

const page = (text: string, next?: string) =>
  new Response(text, {
    headers: {
      'x-svc-mode': 'live',
      'content-type': 'text/csv; charset=utf-8',
      ...(next && { 'x-next-cursor': next }),
    },
  });

const HEADER = '"id","status"\r\n';
const twoPages = () =>
  new ScriptedService(page(`${HEADER}"1","a ""b"", c\r\nd"\r\n"2",""\r\n`, 'n'), page(`${HEADER}"3","é"\r\n`));

describe('a report', () => {
  it('is a stream of rows by the names of their columns, over all pages', async () => {
    const service = twoPages();
    const rows = await itemsOf(service.client().creators.report('crt_1'));
    expect(rows).toEqual([
      { id: '1', status: 'a "b", c\r\nd' },
      { id: '2', status: '' },
      { id: '3', status: 'é' },
    ]);
    expect(service.sent.map(({ path }) => path)).toEqual([
      '/v1/creators/crt_1/report?limit=100',
      '/v1/creators/crt_1/report?limit=100&after=n',
    ]);
  });

  it('is a file with one header', async () => {
    const report = twoPages().client().creators.report('crt_1', { limit: 2, after: null });
    const pieces = await itemsOf(report.csv());
    expect(pieces.join('')).toBe(`${HEADER}"1","a ""b"", c\r\nd"\r\n"2",""\r\n"3","é"\r\n`);
  });

  it('without cases has no rows, and an empty answer none either', async () => {
    const rowsOf = (text: string) => itemsOf(new ScriptedService(page(text)).client().creators.report('crt_1'));
    expect([await rowsOf(HEADER), await rowsOf('')]).toEqual([[], []]);
  });

  it('fails as a call does', async () => {
    const service = new ScriptedService(refused(404, 'not_found'));
    const reading = itemsOf(service.client().creators.report('crt_1'));
    await expect(reading).rejects.toMatchObject({ code: 'not_found' });
  });

  it('has an empty cell where a row is too short', async () => {
    const service = new ScriptedService(page(`${HEADER}"1"\r\n`));
    expect(await itemsOf(service.client().creators.report('crt_1'))).toEqual([{ id: '1', status: '' }]);
  });
});

describe('CSV', () => {
  it.each<[string, string[][]]>([
    ['', []],
    ['"a","b"\r\n', [['a', 'b']]],
    [
      'a,b\nc,d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      '"",""\r\n"x","y"',
      [
        ['', ''],
        ['x', 'y'],
      ],
    ],
    ['"a""b","\n"\r\n', [['a"b', '\n']]],
  ])('%j is %j', (text, records) => {
    expect(readCsv(text)).toEqual(records);
  });

  it('with a quote that nothing closes is read in a time that grows with its length', () => {
    const [cell, quotes] = ['a'.repeat(1_000_000), 'a""'.repeat(100_000)];
    expect([readCsv(`"${cell}`), readCsv(`"${quotes}`)]).toEqual([[[`"${cell}`]], [[`"${quotes}`]]]);
  });
});
