import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { MINUTE } from '#kernel';
import type { Agency } from '../support/agency.js';
import { startService } from '../support/start-service.js';

const service = await startService();
const { platform } = service;

const enrollmentOf = async (agency: Agency, id: string) => (await agency.api.creator(id)).enrollment_status;

/** The platform has purged the agency's invitations. */
const purge = async (agency: Agency) => {
  for (const operation of ['getInvitation', 'withdrawInvitation']) {
    const match = { agency_id: agency.id };
    await platform.fault({ operation, match, kind: 'refuse', status: 404, code: 'not_found', times: 1_000 });
  }
};

test('a resent invitation that ends earlier than it said expires here too (D76)', async () => {
  const agency = await service.agency();
  const { id } = await agency.invited();
  expect((await agency.api.resendInvitation(id, randomUUID())).outcome).toBe('200');
  await platform.control('POST', `/invitations/${id}/expire`, {});
  expect(await enrollmentOf(agency, id)).toBe('expired');
});

test('an invitation that the platform has purged is cancelled after two lookups, and its seat is free (D76, D31)', async () => {
  const agency = await service.agency();
  const { id } = await agency.invited();
  await purge(agency);
  expect(await enrollmentOf(agency, id)).toBe('invited');
  expect(await enrollmentOf(agency, id)).toBe('cancelled');
  expect((await agency.api.remove(id)).outcome).toBe('200');
  await platform.heal();
});

test('the worker also cancels an invitation that the platform has purged (D76)', async () => {
  const agency = await service.agency();
  const { id } = await agency.invited();
  await purge(agency);
  for (let round = 0; round < 3; round++) await service.pass(6 * MINUTE);
  const updates = (await agency.publishedEvents()).map(({ data }) => data.creator?.enrollment_status);
  expect(updates.at(-1)).toBe('cancelled');
  await platform.heal();
  expect(await enrollmentOf(agency, id)).toBe('cancelled');
});

test('an invitation that the platform has purged can be removed immediately (D76)', async () => {
  const agency = await service.agency();
  const { id } = await agency.invited();
  await purge(agency);
  expect((await agency.api.remove(id)).outcome).toBe('200');
  await platform.heal();
  expect(await enrollmentOf(agency, id)).toBe('cancelled');
});
