import { expect, test } from '@jest/globals';
import type { Agency } from '../support/agency.js';
import { readCsv } from '../support/csv.js';
import type { Exchange } from '../support/exchange.js';
import { startService } from '../support/start-service.js';

const service = await startService({ platformHangs: true });
const agency = await service.agency();

const COLUMNS =
  'id,url,domain,status,status_code,source,scan_id,leak_id,created_at,updated_at,actionable,dead_on_arrival,available,api_deindex_supported'.split(
    ',',
  );

const pathOf = (creatorId: string, query = '') => `/v1/creators/${creatorId}/report${query}`;
const nextOf = ({ headers }: Exchange) => headers['x-next-cursor'];

/** The rows below the header, by column. */
const rowsOf = ({ text }: Exchange): Record<string, string>[] => {
  const [header = [], ...records] = readCsv(text);
  expect(header).toEqual(COLUMNS);
  return records.map((record) => {
    expect(record).toHaveLength(COLUMNS.length);
    return Object.fromEntries(record.map((cell, at) => [COLUMNS[at], cell]));
  });
};

const withLeaks = async (count: number, of: Agency = agency) => {
  const creator = await of.linked();
  if (count > 0) await of.leaks(creator.userId, count);
  return creator;
};

test('shows the rows of the case list, in its order, under a header row (D52)', async () => {
  const { id } = await withLeaks(7);
  const report = await agency.api.get(pathOf(id));
  const cases = await agency.api.cases(id);
  expect(rowsOf(report)).toEqual(
    cases.map((shown) =>
      Object.fromEntries(COLUMNS.map((column) => [column, String(shown[column as keyof typeof shown] ?? '')])),
    ),
  );
  expect(nextOf(report)).toBeUndefined();
});

test('is a file whose name has the creator and the date in UTC (D52)', async () => {
  const { id } = await withLeaks(0);
  const { headers } = await agency.api.get(pathOf(id));
  const [date] = new Date(service.clock.now()).toISOString().split('T');
  expect(headers['content-disposition']).toBe(`attachment; filename="cases-${id}-${date}.csv"`);
});

test('has pages by X-Next-Cursor, with 100 rows by default and a header on every page', async () => {
  const { id } = await withLeaks(101);
  const first = await agency.api.synchronized(pathOf(id));
  expect(rowsOf(first)).toHaveLength(100);
  expect(nextOf(first)).toBe(rowsOf(first).at(-1)?.id);
  const second = await agency.api.get(pathOf(id, `?after=${nextOf(first)}`));
  expect([rowsOf(second).length, nextOf(second)]).toEqual([1, undefined]);
  const ids = [...rowsOf(first), ...rowsOf(second)].map((row) => row.id);
  expect(ids).toEqual((await agency.api.cases(id)).map((shown) => shown.id));
});
