import type { ContractClient } from './contract-client.js';
import { equal, Failed } from './verdict.js';

const MAX_PAGES = 2000;

const BY_USER = new Set(['listRoster', 'listSlots']);

type Query = Record<string, string | number>;

/**
 * Reads all pages until `next_cursor` is null. The roster and the slots continue after the last `user_id`; a page without
 * records, on which the platform has left out all, by its cursor.
 */
export async function walk<R extends object>(
  client: ContractClient,
  operationId: string,
  path: Record<string, string>,
  query: Query & { limit: number } = { limit: 200 },
  mostRecords = Number.POSITIVE_INFINITY,
): Promise<R[]> {
  const parameter = operationId === 'listActivity' ? 'cursor' : 'after';
  const records: R[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const pageQuery: Query = cursor === null ? query : { ...query, [parameter]: cursor };
    const page: { data: R[]; next_cursor: string | null } = await client.get(operationId, 200, {
      path,
      query: pageQuery,
    });
    if (page.data.length > query.limit)
      throw new Failed(`${operationId} gave ${page.data.length} for limit ${query.limit}`);
    records.push(...page.data);
    if (page.next_cursor === null || records.length >= mostRecords) return records;
    cursor = BY_USER.has(operationId) ? (lastUser(page.data) ?? page.next_cursor) : page.next_cursor;
  }
  throw new Failed(`${operationId} has no end after ${MAX_PAGES} pages`);
}

function lastUser(records: object[]): string | undefined {
  const last = records.at(-1);
  return last && 'user_id' in last ? String(last.user_id) : undefined;
}

/** A lookup by reference answers one record, with the expected members; by another reference it answers none. */
export async function expectFound(
  client: ContractClient,
  operationId: string,
  expected: { reference: string; [field: string]: unknown },
  path: Record<string, string> = {},
): Promise<void> {
  const { reference } = expected;
  const find = (query: { reference: string }) =>
    client.get<{ data: Record<string, unknown>[] }>(operationId, 200, { path, query });
  const shown = (await find({ reference })).data.map((record) =>
    Object.fromEntries(Object.keys(expected).map((field) => [field, record[field]])),
  );
  equal(shown, [expected], operationId);
  equal(await find({ reference: `${reference}-other` }), { data: [] }, 'another reference');
}
