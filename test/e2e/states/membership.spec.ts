import { expect, test } from '@jest/globals';
import { type CreatorId, HOUR, MINUTE } from '#kernel';
import type { Agency } from '../support/agency.js';
import { bodyOf } from '../support/api-client.js';
import { type Holdings, holdingsOf } from '../support/holdings.js';
import { ask, operationsOf, subjectIdOf } from '../support/operations.js';
import { startService } from '../support/start-service.js';

const EVERY = 5 * MINUTE;
const service = await startService();
const operations = await operationsOf(service.url);
const leave = (agency: Agency, userId: string) => agency.changeUser(userId, { agency_id: null });
const status = async (agency: Agency, id: string) => (await agency.api.get(`/v1/creators/${id}`)).status;

/** Returns every route's answer about a creator and its resources. */
const said = async ({ api }: Agency, holdings: Holdings) => {
  const cursors = {
    'GET /v1/creators/{id}/cases': holdings.caseId,
    'GET /v1/creators/{id}/report': holdings.caseId,
    'GET /v1/creators/{id}/impersonations': holdings.impersonationId,
    'GET /v1/creators/{id}/activity': holdings.activityCursor,
  };
  const outcomes: [string, string][] = [];
  for (const operation of operations) {
    const { name, idPrefix } = operation;
    if (idPrefix === undefined || idPrefix === 'wsp') continue;
    const id = idPrefix === 'crt' ? holdings.creatorId : subjectIdOf(operation, holdings);
    outcomes.push([name, (await ask(api, operation, holdings, { id })).outcome]);
    const cursor = Object.entries(cursors).find(([paged]) => paged === name)?.[1];
    if (operation.isPaged && cursor === undefined) throw new Error(`no cursor of ${name} is known`);
    if (cursor === undefined) continue;
    const query = `?after=${encodeURIComponent(cursor)}`;
    outcomes.push([`${name} after`, (await ask(api, operation, holdings, { id, query })).outcome]);
  }
  outcomes.push(['PUT paused', (await api.protect(holdings.creatorId, 'paused')).outcome]);
  outcomes.push(['the scan again', (await api.queueScan(holdings.creatorId, 'first scan')).outcome]);
  outcomes.push([
    'the deindex request again',
    (await api.requestDeindex(holdings.deindexedCaseId, 'holdings')).outcome,
  ]);
  outcomes.push(['the enrollment again', (await api.enroll(holdings.enrollment)).outcome]);
  return outcomes;
};

test('a creator that leaves is 404 everywhere immediately, and within two synchronizations paused, unmetered and out of the feed (D9, D43)', async () => {
  const agency = await service.agency();
  const holdings = await holdingsOf(service, agency);
  const { creatorId, creatorUserId } = holdings;
  const notFound = (outcomes: [string, string][]) => outcomes.map(([name]) => [name, '404 not_found']);
  await service.pass(MINUTE);
  await leave(agency, creatorUserId);

  const atOnce = await said(agency, holdings);
  expect(atOnce).toEqual(notFound(atOnce));
  expect(atOnce.length).toBeGreaterThan(20);
  expect((await agency.api.roster()).map(({ id }) => id)).not.toContain(creatorId);
  expect((await agency.publishedEvents()).filter(({ data }) => data.creator_id === creatorId)).toEqual([]);

  await service.pass(EVERY);
  await service.pass(EVERY);
  const ended = (await service.services.creators.recorded(creatorId as CreatorId)).state;
  expect(ended).toMatchObject({ membership: { status: 'ended' }, protection: { status: 'paused' } });
  const afterwards = await said(agency, holdings);
  expect(afterwards).toEqual(notFound(afterwards));
  const { creator_seconds } = await agency.api.got<{ creator_seconds: number }>('/v1/usage');
  await service.pass(HOUR);
  expect(await agency.api.got('/v1/usage')).toMatchObject({ creator_seconds });
});

test('the repeat of an invitation shows nothing of a creator that has left since (D9)', async () => {
  const agency = await service.agency();
  const body = agency.inviteBody();
  const { id } = bodyOf<{ id: string }>(await agency.api.enroll(body));
  await service.platform.control('PATCH', `/invitations/${id}`, { status: 'onboarded', eligible: true });
  const { svc_user_id } = await agency.api.creator(id);
  expect((await agency.api.enroll(body)).outcome).toBe('200');
  await leave(agency, String(svc_user_id));
  expect((await agency.api.enroll(body)).outcome).toBe('404 not_found');
  for (let sync = 0; sync < 3; sync++) await service.pass(EVERY);
  expect((await agency.api.enroll(body)).outcome).toBe('404 not_found');
});

test("a creator transferred to another agency is that agency's, under another id", async () => {
  const [agency, other] = [await service.agency(), await service.agency()];
  const { id, userId } = await agency.active();
  await agency.changeUser(userId, { agency_id: other.id });
  expect(await status(agency, id)).toBe(404);
  const [taken] = await other.api.roster();
  expect(taken).toMatchObject({ svc_user_id: userId, protection_status: 'not_activated' });
  expect(taken?.id).not.toBe(id);
  expect((await other.api.protect(taken?.id ?? '', 'active')).outcome).toBe('200');
});

const { platform } = service;
const enrollmentOf = async (agency: Agency, id: string) => (await agency.api.creator(id)).enrollment_status;

/** The platform has purged the agency's invitations. */
const purge = async (agency: Agency) => {
  for (const operation of ['getInvitation', 'withdrawInvitation']) {
    const match = { agency_id: agency.id };
    await platform.fault({ operation, match, kind: 'refuse', status: 404, code: 'not_found', times: 1_000 });
  }
};

test('an invitation that the platform has purged is cancelled after two lookups, and its seat is free (D76, D31)', async () => {
  const agency = await service.agency();
  const { id } = await agency.invited();
  await purge(agency);
  expect(await enrollmentOf(agency, id)).toBe('invited');
  expect(await enrollmentOf(agency, id)).toBe('cancelled');
  expect((await agency.api.remove(id)).outcome).toBe('200');
  await platform.heal();
});

/** An active creator whose membership has ended. */
const former = async (agency: Agency) => {
  const creator = await agency.active();
  await agency.changeUser(creator.userId, { agency_id: null });
  await service.pass(EVERY);
  await service.pass(EVERY);
  return creator;
};

const onboard = (invitedId: string, userId: string) =>
  platform.control('PATCH', `/invitations/${invitedId}`, { status: 'onboarded', user_id: userId, eligible: true });

test('a creator that left, is invited again and accepts with the old account stays one creator, billed once (D74)', async () => {
  const agency = await service.agency();
  const { id, userId, external_id } = await former(agency);
  const invited = await agency.invited();
  await onboard(invited.id, userId);
  await service.pass(EVERY);

  expect(await agency.api.roster()).toMatchObject([{ id, external_id, svc_user_id: userId, display_name: 'Ivy Vale' }]);
  expect(await agency.api.creator(invited.id)).toMatchObject({
    external_id: invited.external_id,
    enrollment_status: 'detached',
    svc_user_id: null,
    eligible: false,
  });
  expect((await agency.api.protect(id, 'active')).outcome).toBe('200');
  expect((await agency.api.protect(invited.id, 'active')).outcome).toBe('409 creator_invitation_pending');
  expect((await agency.api.remove(invited.id)).outcome).toBe('200');
  await service.pass(MINUTE);
  expect(await agency.api.got('/v1/usage')).toMatchObject({ active_creator_count: 1 });
  const other = agency.inviteBody({ external_id: invited.external_id, display_name: 'Somebody' });
  expect((await agency.api.enroll(other)).outcome).toBe('409 external_id_conflict');
});
