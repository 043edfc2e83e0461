import { expect, test } from '@jest/globals';
import type { Agency } from '../support/agency.js';
import { readCsv } from '../support/csv.js';
import { type Exchange, refusedFields } from '../support/exchange.js';
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

test('every cell is quoted and every record ends with CRLF', async () => {
  const { id } = await withLeaks(2);
  const { text } = await agency.api.get(pathOf(id));
  expect(text).toMatch(/^(?:"(?:[^"]|"")*"(?:,"(?:[^"]|"")*"){13}\r\n){3}$/);
});

test('is a file whose name has the creator and the date in UTC (D52)', async () => {
  const { id } = await withLeaks(0);
  const { headers } = await agency.api.get(pathOf(id));
  const [date] = new Date(service.clock.now()).toISOString().split('T');
  expect(headers['content-disposition']).toBe(`attachment; filename="cases-${id}-${date}.csv"`);
});

test('reads the platform before the first page, and finds what is new (D50)', async () => {
  const { id, userId } = await withLeaks(0);
  expect(rowsOf(await agency.api.get(pathOf(id)))).toEqual([]);
  const [leakId = ''] = await agency.leaks(userId, 1, { url: 'https://leaks.example/a' });
  expect(rowsOf(await agency.api.get(pathOf(id)))).toMatchObject([{ leak_id: leakId, domain: 'leaks.example' }]);
  await service.platform.control('PATCH', `/leaks/${leakId}`, { status: 'Retiré', status_code: 'removed' });
  expect(rowsOf(await agency.api.get(pathOf(id)))).toMatchObject([{ status: 'Retiré', status_code: 'removed' }]);
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

test('a full last page has no X-Next-Cursor', async () => {
  const { id } = await withLeaks(4);
  const first = await agency.api.get(pathOf(id, '?limit=2'));
  const second = await agency.api.get(pathOf(id, `?limit=2&after=${nextOf(first)}`));
  expect([rowsOf(second).length, nextOf(second)]).toEqual([2, undefined]);
});

test('the report of a creator without findings has only the header', async () => {
  const { id } = await withLeaks(0);
  const invited = await agency.invited();
  for (const creatorId of [id, invited.id]) {
    expect(readCsv((await agency.api.get(pathOf(creatorId))).text)).toEqual([COLUMNS]);
  }
});

test.each([
  ['=HYPERLINK("http://evil.example","x")', `'=HYPERLINK("http://evil.example","x")`],
  ["+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"],
  ['-2+3', "'-2+3"],
  ['@SUM(1+1)', "'@SUM(1+1)"],
  ['\u3000=1+1', "'\u3000=1+1"],
  ['\u200b@SUM(1+1)', "'\u200b@SUM(1+1)"],
  ['＝1+1', "'＝1+1"],
  ['a"b,c=1+1', 'a"b,c=1+1'],
  ['","=1+1","', '","=1+1","'],
  ['été 🌹 \u2028', 'été 🌹 \u2028'],
])('a status and a URL of %j stay within their cells and compute nothing', async (value, shown) => {
  const { id, userId } = await withLeaks(0);
  const [leakId = ''] = await agency.leaks(userId, 1, { status: value });
  await service.platform.control('PATCH', `/leaks/${leakId}`, { url: value });
  expect(rowsOf(await agency.api.get(pathOf(id)))).toMatchObject([{ status: shown, url: shown, leak_id: leakId }]);
});

test.each(['\t=1+1', '\r=1+1', 'a"b,c\r\n=1+1'])(
  'D65: a record with the control characters of %j is left out',
  async (value) => {
    const { id, userId } = await withLeaks(1);
    await agency.leaks(userId, 1, { status: value });
    expect(rowsOf(await agency.api.get(pathOf(id)))).toHaveLength(1);
  },
);

test('a finding that is gone stays in the report as unavailable', async () => {
  const { id, userId } = await withLeaks(0);
  const [leakId] = await agency.leaks(userId, 1);
  await agency.api.get(pathOf(id));
  await service.platform.control('DELETE', `/leaks/${leakId}`);
  await service.passUntil(async () => {
    expect(rowsOf(await agency.api.get(pathOf(id)))).toMatchObject([{ available: 'false' }]);
  }, 60_000);
});

test.each([
  '?limit=0',
  '?limit=101',
  '?limit=1.5',
  '?limit=',
  '?after=',
  '?after=cas_x',
  '?format=xlsx',
  '?limit=1&limit=2',
])('%s is 400', async (query) => {
  const { id } = await withLeaks(0);
  expect(refusedFields(await agency.api.get(pathOf(id, query)))).toHaveLength(1);
});

test("another creator's case is no cursor, nor is one that does not exist (D13)", async () => {
  const { id } = await withLeaks(0);
  const other = await withLeaks(1);
  const [foreign] = await agency.api.cases(other.id);
  for (const cursor of [foreign?.id, 'cas_00000000000000000000000000', id]) {
    expect(refusedFields(await agency.api.get(pathOf(id, `?after=${cursor}`)))).toEqual(['after']);
  }
});

test("another agency's, an unknown and a malformed creator are 404, as JSON", async () => {
  const elsewhere = await withLeaks(1, await service.agency());
  for (const id of [elsewhere.id, 'crt_00000000000000000000000000', 'nobody', 'cas_00000000000000000000000000']) {
    expect((await agency.api.get(pathOf(id))).outcome).toBe('404 not_found');
  }
});

test('a creator that has left is 404', async () => {
  const { id, userId } = await withLeaks(1);
  await agency.changeUser(userId, { agency_id: null });
  expect((await agency.api.get(pathOf(id))).outcome).toBe('404 not_found');
});

test.each([
  [{ kind: 'status', status: 500 }, '503 provider_unavailable'],
  [{ kind: 'broken_json' }, '502 provider_invalid_response'],
  [{ kind: 'hang' }, '504 provider_timeout'],
])('a platform that fails with %j is reported as JSON, and nothing stale is served (D36)', async (fault, outcome) => {
  const { id } = await withLeaks(1);
  await agency.api.get(pathOf(id));
  await service.platform.fault({ operation: 'listLeaks', ...fault });
  expect((await agency.api.get(pathOf(id))).outcome).toBe(outcome);
});

test('any other method is 405', async () => {
  const { id } = await withLeaks(0);
  const answer = await agency.api.write('POST', pathOf(id), {});
  expect([answer.outcome, answer.headers.allow]).toEqual(['405 method_not_allowed', 'GET, HEAD']);
});
