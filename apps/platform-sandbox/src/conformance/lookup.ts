import type { ContractClient } from './contract-client.js';
import { equal } from './verdict.js';

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
