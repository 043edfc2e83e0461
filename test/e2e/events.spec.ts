import { expect, test } from '@jest/globals';
import { HOUR, MINUTE } from '#kernel';
import type { Agency } from './support/agency.js';
import { bodyOf } from './support/api-client.js';
import { refusedFields } from './support/exchange.js';
import type { Creator, Event, Page } from './support/resources.js';
import { startService } from './support/start-service.js';

const service = await startService();
const { platform } = service;

const types = async (agency: Agency) => (await agency.told()).map(({ type }) => type);
const last = async (agency: Agency) => (await agency.told()).at(-1);

/** The bytes of each event, as they stand in the page. */
const bytesOf = ({ text }: { text: string }): string[] =>
  text.slice('{"data":['.length, text.indexOf('],"next_cursor"')).split(/,(?=\{"id":"evt_)/);

test('the first state of a creator and each change of it is a creator.updated with the full creator (D40)', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.linked();
  const first = await last(agency);
  expect(first).toMatchObject({ type: 'creator.updated', workspace_id: agency.workspaceId, data: { creator_id: id } });
  await agency.changeUser(userId, { authorization: 'rejected' });
  const creator = await agency.api.creator(id);
  expect(await last(agency)).toMatchObject({ type: 'creator.updated', data: { creator_id: id, creator } });
});

test('imports are creator.updated too, one each (D40)', async () => {
  const agency = await service.agency();
  await agency.users(3);
  const roster = await agency.api.roster();
  const events = await agency.told();
  expect(events.map(({ type }) => type)).toEqual(Array(3).fill('creator.updated'));
  expect(new Set(events.map(({ data }) => data.creator_id))).toEqual(new Set(roster.map(({ id }) => id)));
});

test('the end of a mandate by the clock is a creator.updated, of the worker alone (D40)', async () => {
  const agency = await service.agency();
  const expires_at = new Date(service.clock.now() + HOUR).toISOString();
  const { id } = await agency.linked({ authorization: { approved: true, status: 'approved', expires_at } });
  await service.pass(HOUR);
  expect(await last(agency)).toMatchObject({
    type: 'creator.updated',
    created_at: service.clock.now(),
    data: { creator: { id, eligible: false, authorization: { approved: false } } },
  });
});

test('an invitation’s way is told step by step, and activates nothing', async () => {
  const agency = await service.agency();
  const { id } = await agency.invited();
  await platform.control('POST', `/invitations/${id}/accept`);
  await agency.api.creator(id);
  await platform.control('POST', `/invitations/${id}/onboard`, { eligible: true });
  await agency.api.creator(id);
  await service.quiet();
  const steps = (await agency.told()).map(({ type, data }) => [type, data.creator?.enrollment_status]);
  expect(new Set(steps.map(([type]) => type))).toEqual(new Set(['creator.updated']));
  expect([...new Set(steps.map(([, status]) => status))]).toEqual(['invited', 'pending_onboarding', 'linked']);
  expect((await last(agency))?.data.creator).toMatchObject({ identity_sync_pending: false, eligible: true });
});

test('protection is told with scope and reason, and is no creator.updated (D40, D43)', async () => {
  const agency = await service.agency();
  const { id } = await agency.active();
  await agency.api.protect(id, 'paused');
  const events = await agency.told();
  expect(events.map(({ type }) => type).slice(-2)).toEqual(['protection.activated', 'protection.paused']);
  const data = { creator_id: id, scope: 'api_scan_schedule', reason: 'api_request' };
  expect(events.slice(-2).map((event) => event.data)).toEqual([
    { ...data, status: 'active' },
    { ...data, status: 'paused' },
  ]);
  expect(events.filter(({ type }) => type === 'creator.updated')).toHaveLength(1);
});

test('scan.completed comes after the findings of the scan, with its job (D48)', async () => {
  const agency = await service.agency();
  const { id } = await agency.active();
  const scan = await agency.scan(id);
  const { svc_job_id } = await agency.scanThatIs('completed', scan.id);
  const events = await agency.told();
  expect(events.map(({ type }) => type).slice(-3)).toEqual(['case.created', 'case.created', 'scan.completed']);
  expect(events.at(-1)?.data).toEqual({ creator_id: id, scan_id: scan.id, svc_job_id });
});

test('scan.failed tells the reason; a cancelled scan tells nothing', async () => {
  const agency = await service.agency();
  const { id } = await agency.active({ profiles: [] });
  const scan = await agency.scan(id);
  await agency.scanThatIs('failed', scan.id);
  expect((await last(agency))?.data).toEqual({
    creator_id: id,
    scan_id: scan.id,
    status: 'failed',
    reason: 'nothing_to_scan',
  });
});

test('case events carry the case as it was then; case.deleted only says which (event types)', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.linked();
  const [leakId = ''] = await agency.leaks(userId, 1);
  const [created] = await agency.api.cases(id);
  await service.pass(MINUTE);
  await platform.control('PATCH', `/leaks/${leakId}`, { status_code: 'removed' });
  const [updated] = await agency.api.cases(id);
  await service.pass(MINUTE);
  await platform.control('DELETE', `/leaks/${leakId}`);
  await service.pass(HOUR);
  const about = { creator_id: id, case_id: created?.id };
  expect((await agency.told()).slice(-3).map(({ type, data }) => [type, data])).toEqual([
    ['case.created', { ...about, status: 'Detected', case: created }],
    ['case.updated', { ...about, status: 'Removed', case: updated }],
    ['case.deleted', about],
  ]);
});

test('ids and bytes are the same on every read and every page size (D58)', async () => {
  const agency = await service.agency();
  const { id } = await agency.active();
  await agency.scanThatIs('completed', (await agency.scan(id)).id);
  await agency.api.protect(id, 'paused');
  const whole = bytesOf(await agency.api.get('/v1/events?limit=100'));
  expect(whole.length).toBeGreaterThan(5);
  const paged: string[] = [];
  for (let cursor = ''; ; ) {
    const page = await agency.api.get(`/v1/events?limit=2${cursor}`);
    paged.push(...bytesOf(page));
    const { next_cursor } = bodyOf<Page<Event>>(page);
    if (next_cursor === null) break;
    cursor = `&after=${next_cursor}`;
  }
  expect(paged).toEqual(whole);
  await service.restart();
  expect(bytesOf(await agency.api.get('/v1/events?limit=100'))).toEqual(whole);
});

test('a reader that polls with the last event it has seen misses nothing and sees nothing twice (D57)', async () => {
  const agency = await service.agency();
  const seen: Event[] = [];
  const poll = async () => {
    const after = seen.at(-1);
    const page = await agency.api.got<Page<Event>>(`/v1/events?limit=3${after ? `&after=${after.id}` : ''}`);
    seen.push(...page.data);
  };
  const writing = Promise.all(
    Array.from({ length: 8 }, async () => {
      const { id } = await agency.active();
      await agency.api.protect(id, 'paused');
    }),
  );
  let isWriting = true;
  writing.finally(() => {
    isWriting = false;
  });
  while (isWriting) await poll();
  await writing;
  const all = await agency.told();
  while (seen.length < all.length) await poll();
  expect(seen).toEqual(all);
  expect(all.map(({ created_at }) => created_at)).toEqual(all.map(({ created_at }) => created_at).toSorted());
});

test('what is no event of this feed is no cursor: malformed, unknown, another agency’s (D13, D57)', async () => {
  const [agency, other] = [await service.agency(), await service.agency()];
  await other.linked();
  const foreign = (await last(other))?.id ?? '';
  for (const after of ['x', 'evt_00000000000000000000000000', foreign, foreign.replace('evt_', 'cas_')]) {
    expect(refusedFields(await agency.api.get(`/v1/events?after=${after}`))).toEqual(['after']);
  }
});

test('events of a creator that left are left out, and stay valid cursors; a page may be empty with one (D13, D57)', async () => {
  const agency = await service.agency();
  const gone = await agency.active();
  const hidden = await agency.told();
  const stays = await agency.linked();
  await agency.changeUser(gone.userId, { agency_id: null });
  expect((await agency.api.get(`/v1/creators/${gone.id}`)).outcome).toBe('404 not_found');
  expect((await agency.told()).map(({ data }) => data.creator_id)).toEqual([stays.id]);
  const [first] = hidden;
  const page = await agency.api.got<Page<Event>>('/v1/events?limit=1');
  expect(page).toEqual({ data: [], next_cursor: first?.id, simulated: false });
  const rest = await agency.api.got<Page<Event>>(`/v1/events?after=${hidden.at(-1)?.id}`);
  expect(rest.data.map(({ data }) => data.creator_id)).toEqual([stays.id]);
});

test('the events of a creator that returns are there again, in their old places (D43, D57)', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.active();
  await agency.linked();
  const before = await agency.told();
  await agency.changeUser(userId, { agency_id: null });
  await agency.api.get(`/v1/creators/${id}`);
  expect(await agency.told()).toHaveLength(1);
  await agency.changeUser(userId, { agency_id: agency.id });
  await agency.api.creator(id);
  expect((await agency.told()).slice(0, before.length)).toEqual(before);
});

test('an agency is told of its own creators only', async () => {
  const [agency, other] = [await service.agency(), await service.agency()];
  await agency.active();
  expect(await types(other)).toEqual([]);
});

test('an enrollment that is refused is told of by nothing but its own state', async () => {
  const agency = await service.agency();
  const refused = agency.inviteBody({ email: 'ivy@rejected.example' });
  expect((await agency.api.enroll(refused)).outcome).toBe('502 provider_invalid_response');
  const told = (await agency.told()).map(({ data }) => (data.creator as Creator).enrollment_status);
  expect(told).toEqual(['failed']);
});
