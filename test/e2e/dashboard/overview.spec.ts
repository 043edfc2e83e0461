import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { RequestLog } from '#dashboard';
import { DAY, MINUTE } from '#kernel';
import { eventually } from '#testing';
import { DashboardPage, NO_PROVIDER } from '../support/dashboard-page.js';
import { Receiver } from '../support/receiver.js';
import { startService } from '../support/start-service.js';

interface Overview {
  readonly agency: object | null;
  readonly binding: { readonly state: string; readonly epoch: number | null; readonly revokes: object };
  readonly checklist: readonly { readonly step: string; readonly done: boolean }[];
  readonly samples: { readonly curl: string; readonly typescript: string };
  readonly api_url: string;
  readonly capacity: object | null;
  readonly usage: object | null;
  readonly events_by_day: readonly { readonly day: string; readonly count: number }[];
  readonly warnings: readonly { readonly kind: string; readonly message: string }[];
}

const API_URL = 'https://api.example';
const service = await startService({ provider: NO_PROVIDER, env: { API_URL, WEBHOOK_TARGETS: 'any' } });

const doneOf = ({ checklist }: Overview) => checklist.filter(({ done }) => done).map(({ step }) => step);

it('a new owner binds the agency, and follows it to the first delivery', async () => {
  const id = `agency_${randomUUID().slice(0, 8)}`;
  const userId = randomUUID();
  await service.platform.control('PATCH', `/agencies/${id}`, { owner_user_id: userId, name: 'Lumen' });
  const owner = await DashboardPage.of(service, { userId, agencies: [id] });
  const unbound = await owner.got<Overview>('/overview');
  expect(unbound).toMatchObject({
    agency: { id, name: 'Lumen', kyc_status: 'approved', owner_user_id: userId },
    binding: { state: 'unbound', epoch: null, revokes: { keys: 0, endpoints: 0 } },
    capacity: { total_slots: 10 },
    usage: null,
    api_url: API_URL,
    samples: { curl: expect.stringContaining(`${API_URL}/v1/me`), typescript: expect.stringContaining(API_URL) },
  });
  expect(doneOf(unbound)).toEqual(['verified']);
  expect(await owner.got('/usage')).toMatchObject({ is_bound: false, totals: { active_creator_count: 0 } });
  const binding = await owner.send('POST', '/binding', { owner_user_id: userId });
  expect(binding).toMatchObject({ status: 200, body: { agency_id: id, epoch: 1, owner_user_id: userId } });
  const { body } = await owner.send<{ secret: string }>('POST', '/keys', {
    name: 'backend',
    preset: 'read_write',
    lifetime: '90d',
  });
  await fetch(`${service.url}/v1/me`, { headers: { authorization: `Bearer ${body.secret}` } });
  await eventually(async () => {
    expect(doneOf(await owner.got('/overview'))).toEqual(['verified', 'bound', 'key_issued', 'first_call']);
  });
});

it('shows events by day, usage and the first delivery', async () => {
  const agency = await service.agency();
  const receiver = await Receiver.start();
  const owner = await DashboardPage.ofOwner(service, agency);
  await agency.endpoint(receiver.url);
  await agency.active();
  await service.pass(MINUTE);
  const today = new Date(service.clock.now()).toISOString().slice(0, 10);
  const published = await agency.publishedEvents();
  await eventually(async () => {
    const overview = await owner.got<Overview>('/overview');
    expect(doneOf(overview)).toHaveLength(6);
    expect(overview.checklist.at(-1)).toMatchObject({ step: 'first_delivery', at: expect.any(Number) });
    expect(overview.usage).toMatchObject({ active_creator_count: 1 });
    expect(overview.events_by_day).toHaveLength(30);
    expect(overview.events_by_day.at(-1)).toEqual({ day: today, count: published.length });
  });
  await receiver.stop();
});

it('warns of a key that ends within 14 days', async () => {
  const agency = await service.agency();
  await agency.issueKey({ name: 'nightly', lifetime: '30d' });
  const visit = () => DashboardPage.ofOwner(service, agency);
  expect((await (await visit()).got<Overview>('/overview')).warnings).toEqual([]);
  await service.pass(17 * DAY);
  expect((await (await visit()).got<Overview>('/overview')).warnings).toMatchObject([
    { kind: 'key_ends', message: expect.stringContaining('nightly') },
  ]);
});

it('counts what needs a person: failing endpoints, refused requests of 24 hours, undelivered events', async () => {
  const agency = await service.agency();
  const receiver = await Receiver.start();
  receiver.answers(503);
  const owner = await DashboardPage.ofOwner(service, agency);
  const attention = () => owner.got<object>('/attention');
  expect(await attention()).toEqual({ failing_endpoints: 0, refused_requests: 0 });
  await owner.post('/endpoints', { url: receiver.url });
  await agency.linked();
  await service.quiet();
  await agency.api.get('/v1/creators?limit=0');
  await service.services.app.get(RequestLog, { strict: false }).write();
  expect(await attention()).toEqual({ failing_endpoints: 1, refused_requests: 1 });
  expect(await owner.got<object>('/overview')).toMatchObject({ undelivered: 1 });
  await service.pass(DAY + MINUTE);
  const later = await DashboardPage.ofOwner(service, agency);
  expect(await later.got<object>('/attention')).toMatchObject({ refused_requests: 0 });
});

it('an owner who was seen and is none any more binds nothing', async () => {
  const agency = await service.agency();
  const { owner_user_id: before } = await agency.change({});
  const next = randomUUID();
  await agency.change({ owner_user_id: next });
  const owner = await DashboardPage.ofOwner(service, agency);
  const overview = await owner.got<Overview>('/overview');
  expect(overview.binding).toMatchObject({ state: 'owner_changed', epoch: 1, revokes: { keys: 1, endpoints: 0 } });
  const stale = await owner.send('POST', '/binding', { owner_user_id: before });
  expect(stale).toMatchObject({ status: 403, body: { error: { code: 'agency_owner_changed' } } });
  expect(await owner.send('POST', '/binding', { owner_user_id: next })).toMatchObject({ body: { epoch: 2 } });
});

it('says that the platform does not answer, and what it knows without it', async () => {
  const agency = await service.agency();
  const member = await DashboardPage.ofMember(service, agency);
  await service.platform.fault({ operation: '*', kind: 'status' });
  const overview = await member.got<Overview>('/overview');
  expect(overview).toMatchObject({ agency: null, capacity: null, binding: { state: 'bound' } });
  expect(overview.warnings).toMatchObject([{ kind: 'platform_unavailable' }]);
});
