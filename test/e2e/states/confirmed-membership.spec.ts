import { expect, test } from '@jest/globals';
import type { Case, Page } from '#client';
import { MINUTE } from '#kernel';
import type { Agency } from '../support/agency.js';
import { startService } from '../support/start-service.js';

// Reads long after one another: the worker's own reading of the roster must not come between.
const service = await startService({ env: { CREATOR_SYNC_EVERY: '24h', CASE_SYNC_EVERY: '24h' } });
const { platform } = service;

/** A creator with everything that can be read of one, and the reads that do not synchronize. */
const creatorWithData = async (agency: Agency) => {
  const creator = await agency.active();
  const { id, userId } = creator;
  const scan = await agency.scan(id);
  await agency.scanThatIs('completed', scan.id);
  const { data, next_cursor } = await agency.api.got<Page<Case>>(`/v1/creators/${id}/cases?limit=1`);
  const request = await agency.api.requestDeindex(data[0]?.id ?? '', 'k');
  await agency.impersonations(userId, 2);
  const impersonations = await agency.api.got<Page<Case>>(`/v1/creators/${id}/impersonations?limit=1`);
  await service.quiet();
  const reads = [
    `/v1/scans/${scan.id}`,
    `/v1/deindex-requests/${(request.body as { id: string }).id}`,
    `/v1/creators/${id}/cases?after=${next_cursor}`,
    `/v1/creators/${id}/report?after=${next_cursor}`,
    `/v1/creators/${id}/impersonations?after=${impersonations.next_cursor}`,
    `/v1/creators/${id}/activity`,
  ];
  return { creator, reads };
};

const outcomesOf = async (agency: Agency, reads: readonly string[]) => {
  const outcomes = new Set<string>();
  for (const path of reads) outcomes.add((await agency.api.get(path)).outcome);
  return [...outcomes];
};

test('D78: a creator that has left is 404 for every read within 60 seconds, not at the next synchronization', async () => {
  const agency = await service.agency();
  const { creator, reads } = await creatorWithData(agency);
  expect(await outcomesOf(agency, reads)).toEqual(['200']);
  for (const read of reads) {
    await agency.changeUser(creator.userId, { agency_id: agency.id });
    await agency.api.creator(creator.id);
    await agency.changeUser(creator.userId, { agency_id: null });
    service.clock.advance(MINUTE);
    expect([read, await outcomesOf(agency, [read])]).toEqual([read, ['404 not_found']]);
  }
});

test.each([
  ['close_before', '503 provider_unavailable'],
  ['broken_json', '502 provider_invalid_response'],
])(
  'D78: a platform that cannot confirm (%s) is reported, and nothing is served in its place',
  async (kind, outcome) => {
    const agency = await service.agency();
    const { reads } = await creatorWithData(agency);
    service.clock.advance(MINUTE);
    await platform.fault({ operation: 'getNativeCreator', kind, match: { agency_id: agency.id } });
    expect(await outcomesOf(agency, reads.slice(0, -1))).toEqual([outcome]);
  },
);
