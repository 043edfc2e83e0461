import { expect, test } from '@jest/globals';
import { type CreatorId, HOUR, MINUTE, SECOND, streamName } from '#kernel';
import type { Agency, LinkedCreator } from '../support/agency.js';
import { bodyOf } from '../support/api-client.js';
import { refusedFields } from '../support/exchange.js';
import type { Case, DeindexRequest } from '../support/resources.js';
import { startService } from '../support/start-service.js';
import { UNKNOWN_OUTCOMES } from '../support/unknown-outcomes.js';

const service = await startService({ platformHangs: true, env: { CREATOR_SYNC_EVERY: '5m' } });
const { platform } = service;

interface Finding {
  readonly agency: Agency;
  readonly creator: LinkedCreator;
  readonly found: Case;
}

/** Findings of a scan of this API's, on a creator whose protection is active. */
const findings = async (count = 1): Promise<Finding & { readonly all: readonly Case[] }> => {
  const agency = await service.agency();
  const creator = await agency.active();
  const { svc_job_id } = await agency.scanThatIs('completed', (await agency.scan(creator.id)).id);
  await agency.leaks(creator.userId, count, { job_id: svc_job_id });
  const all = (await agency.api.cases(creator.id)).filter(({ api_deindex_supported }) => api_deindex_supported);
  const [found] = all;
  if (found === undefined) throw new Error('the scan has found nothing');
  return { agency, creator, found, all };
};

const request = async ({ agency, found }: Finding, key = 'k1') =>
  bodyOf<DeindexRequest>(await agency.api.requestDeindex(found.id, key));
const submission = (id: string, change: object) => platform.control('PATCH', `/deindex-submissions/${id}`, change);
const submissions = async (id: string) => (await platform.effects()).submissions[id] ?? 0;
const changes = async (agency: Agency) =>
  (await agency.publishedEvents())
    .filter(({ type }) => type === 'deindex.status_changed')
    .map(({ data }) => [data.status, data.submitted_to_provider, data.removal_verified]);

test('a request is 202 and queued; nothing is sent within it, and the worker submits it once', async () => {
  const finding = await findings();
  const { agency, found, creator } = finding;
  await platform.fault({ operation: 'submitDeindex', kind: 'delay', delay_ms: 100 });
  const answer = await agency.api.requestDeindex(found.id, 'k1');
  expect(answer.outcome).toBe('202');
  expect(answer.body).toStrictEqual({
    id: expect.any(String),
    case_id: found.id,
    creator_id: creator.id,
    provider: 'search',
    status: 'queued',
    simulated: false,
    submitted_to_provider: false,
    removal_verified: false,
    created_at: service.clock.now(),
    updated_at: service.clock.now(),
    error_code: null,
  });
  const { id } = answer.body as DeindexRequest;
  await service.quiet();
  expect(await submissions(id)).toBe(1);
  expect(await agency.api.deindexRequest(id)).toMatchObject({ status: 'queued', submitted_to_provider: false });
});

test('it is followed until it is settled; each change of status or of a flag is published, the creation is not (D51)', async () => {
  const finding = await findings();
  const { agency, found, creator } = finding;
  const { id } = await request(finding);
  await service.quiet();
  const steps = [
    { submitted_to_provider: true },
    { status: 'submitted' },
    { status: 'removed', removal_verified: false },
    { removal_verified: true },
  ];
  for (const step of steps) {
    await submission(id, step);
    await service.pass(5 * MINUTE);
  }
  expect(await changes(agency)).toEqual([
    ['dispatching', false, false],
    ['queued', false, false],
    ['queued', true, false],
    ['submitted', true, false],
    ['completed', true, false],
    ['completed', true, true],
  ]);
  const { data, type } = (await agency.publishedEvents()).at(-1) ?? {};
  expect([type, data]).toStrictEqual([
    'deindex.status_changed',
    {
      deindex_request_id: id,
      case_id: found.id,
      creator_id: creator.id,
      status: 'completed',
      submitted_to_provider: true,
      removal_verified: true,
    },
  ]);
});

test('a settled request is not looked up any more', async () => {
  const finding = await findings();
  const { id } = await request(finding);
  await service.quiet();
  await submission(id, { status: 'removed' });
  await service.pass(MINUTE);
  await platform.control('DELETE', '/calls');
  await service.pass(HOUR);
  expect(await finding.agency.api.deindexRequest(id)).toMatchObject({ status: 'completed', removal_verified: true });
  expect(await platform.calls('findDeindexSubmission', id)).toEqual([]);
});

test('an open request is looked up soon at first, and every CREATOR_SYNC_EVERY later', async () => {
  const finding = await findings();
  const { id } = await request(finding);
  await service.quiet();
  const looksIn = async (minutes: number) => {
    await platform.control('DELETE', '/calls');
    for (let step = 0; step < minutes * 4; step++) await service.pass(15 * SECOND);
    return (await platform.calls('findDeindexSubmission', id)).length;
  };
  expect(await looksIn(1)).toBeGreaterThanOrEqual(3);
  await looksIn(9);
  expect(await looksIn(10)).toBe(2);
});

test.each([
  ['submitted', { status: 'submitted' }, { status: 'submitted', submitted_to_provider: true, removal_verified: false }],
  ['removed', { status: 'removed' }, { status: 'completed', submitted_to_provider: true, removal_verified: true }],
  [
    'rejected',
    { status: 'rejected', error_code: 'not_indexed' },
    { status: 'rejected', submitted_to_provider: true, error_code: 'not_indexed' },
  ],
  ['failed', { status: 'failed', error_code: 'quota' }, { status: 'failed', error_code: 'quota' }],
])('reading it reconciles the underlying record: %s', async (_, change, shown) => {
  const finding = await findings();
  const { id } = await request(finding);
  await service.quiet();
  await submission(id, change);
  expect(await finding.agency.api.deindexRequest(id)).toMatchObject(shown);
});

test('a read while the provider fails shows that failure, and nothing stale (D36)', async () => {
  const finding = await findings();
  const { id } = await request(finding);
  await service.quiet();
  const read = async () => (await finding.agency.api.get(`/v1/deindex-requests/${id}`)).outcome;
  await platform.fault({ operation: 'findDeindexSubmission', kind: 'status', status: 500 });
  expect(await read()).toBe('503 provider_unavailable');
  await platform.heal();
  await platform.fault({ operation: 'findDeindexSubmission', kind: 'hang' });
  expect(await read()).toBe('504 provider_timeout');
  await platform.heal();
  await platform.fault({ operation: 'findDeindexSubmission', kind: 'wrong_shape' });
  expect(await read()).toBe('502 provider_invalid_response');
  await platform.heal();
  expect(await read()).toBe('200');
});

test('a 422 is rejected, and nothing was submitted (D51)', async () => {
  const finding = await findings();
  await platform.control('PATCH', `/leaks/${finding.found.leak_id}`, { actionable: false });
  const { id } = await request(finding);
  await service.quiet();
  expect(await finding.agency.api.deindexRequest(id)).toMatchObject({
    status: 'rejected',
    submitted_to_provider: false,
    removal_verified: false,
    error_code: 'not_deindexable',
  });
});

test.each([
  ...UNKNOWN_OUTCOMES,
  ['404, which is no refusal', { kind: 'refuse', status: 404, code: 'not_found' }],
] as const)('submitting, %s: uncertain, settled by reference, one submission (D47, D51)', async (_, fault) => {
  const finding = await findings();
  await platform.fault({ operation: 'submitDeindex', times: 1, ...fault });
  await platform.fault({ operation: 'findDeindexSubmission', kind: 'status', status: 500, times: 3 });
  const { id } = await request(finding);
  await service.passUntil(async () =>
    expect(await finding.agency.api.deindexRequest(id)).toMatchObject({ status: 'queued' }),
  );
  expect((await changes(finding.agency)).map(([status]) => status)).toEqual(['dispatching', 'uncertain', 'queued']);
  await service.pass(HOUR);
  expect(await submissions(id)).toBe(1);
});

test('a request whose outcome stays unknown fails after 72 hours (D47)', async () => {
  const finding = await findings();
  await platform.fault({ operation: 'submitDeindex', kind: 'status', status: 500 });
  const { id } = await request(finding);
  await service.quiet();
  await service.pass(71 * HOUR);
  expect(await finding.agency.api.deindexRequest(id)).toMatchObject({ status: 'uncertain' });
  await service.pass(2 * HOUR);
  expect(await finding.agency.api.deindexRequest(id)).toMatchObject({
    status: 'failed',
    error_code: 'outcome_unknown',
    submitted_to_provider: false,
  });
});

test('a record that vanished is uncertain, and is not created again (D47)', async () => {
  const finding = await findings();
  const { id } = await request(finding);
  await service.quiet();
  await platform.control('DELETE', `/deindex-submissions/${id}?forget=true`);
  await service.pass(MINUTE);
  expect(await finding.agency.api.deindexRequest(id)).toMatchObject({ status: 'uncertain' });
  await service.pass(HOUR);
  expect(await submissions(id)).toBe(1);
  expect(await platform.calls('submitDeindex', id)).toHaveLength(1);
});

test('the same key and case are the same request, as it is now, also when the creator has left (D45)', async () => {
  const finding = await findings();
  const { agency, creator, found } = finding;
  const first = await request(finding);
  await service.quiet();
  await submission(first.id, { status: 'submitted' });
  await service.pass(MINUTE);
  await agency.changeUser(creator.userId, { eligible: false });
  await platform.control('DELETE', `/leaks/${found.leak_id}`);
  await service.pass(HOUR);
  expect(await agency.api.cases(creator.id)).toContainEqual(expect.objectContaining({ available: false }));
  const again = await agency.api.requestDeindex(found.id, 'k1');
  expect([again.outcome, again.body]).toEqual(['200', expect.objectContaining({ id: first.id, status: 'submitted' })]);
  expect((await agency.api.requestDeindex(found.id, 'k2')).outcome).toBe('404 not_found');
});

test('ten concurrent requests under one key are one request, one submission', async () => {
  const { agency, found } = await findings();
  const answers = await Promise.all(Array.from({ length: 10 }, () => agency.api.requestDeindex(found.id, 'k')));
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 202]);
  const [id = '', ...others] = new Set(answers.map(({ body }) => (body as DeindexRequest).id));
  expect(others).toEqual([]);
  await service.pass(MINUTE);
  expect(await submissions(id)).toBe(1);
});

test('one key for two cases conflicts; keys of scans and of other agencies are separate (D45)', async () => {
  const { agency, creator, all } = await findings(2);
  const [one, two] = all;
  const keyOfAScan = 'scan-key';
  await agency.scan(creator.id, keyOfAScan);
  expect((await agency.api.requestDeindex(one?.id ?? '', keyOfAScan)).outcome).toBe('202');
  expect((await agency.api.requestDeindex(two?.id ?? '', keyOfAScan)).outcome).toBe('409 idempotency_conflict');
  const other = await findings();
  expect((await other.agency.api.requestDeindex(other.found.id, keyOfAScan)).outcome).toBe('202');
});

test('of two cases that race for one key one wins', async () => {
  const { agency, all } = await findings(2);
  const answers = await Promise.all(all.slice(0, 2).map(({ id }) => agency.api.requestDeindex(id, 'k')));
  expect(answers.map(({ outcome }) => outcome).sort()).toEqual(['202', '409 idempotency_conflict']);
});

test('two keys are two requests for one case', async () => {
  const finding = await findings();
  const [one, two] = [await request(finding, 'k1'), await request(finding, 'k2')];
  expect(one.id).not.toBe(two.id);
});

test('the gates: eligible, then provenance; a paused creator may (D51); only accepted requests consume a key', async () => {
  const { agency, creator, found } = await findings();
  await agency.leaks(creator.userId, 1);
  const native = (await agency.api.cases(creator.id)).find(({ api_deindex_supported }) => !api_deindex_supported);
  const ask = async (id = '') => (await agency.api.requestDeindex(id, 'k')).outcome;
  await agency.changeUser(creator.userId, { eligible: false });
  expect(await ask(native?.id)).toBe('409 creator_not_eligible');
  expect(await ask(found.id)).toBe('409 creator_not_eligible');
  await agency.changeUser(creator.userId, { eligible: true });
  expect(await ask(native?.id)).toBe('409 native_case_managed_by_svc');
  await agency.api.protect(creator.id, 'paused');
  expect(await ask(found.id)).toBe('202');
});

test('the rebinding gate comes first (D21, D51)', async () => {
  const { agency, creator, found } = await findings();
  await agency.change({ owner_user_id: '6f2c7a53-2f0b-4c1e-9f43-6d2a4f0c8b11' });
  await agency.bind();
  const { api } = await agency.issueKey();
  await agency.changeUser(creator.userId, { eligible: false });
  expect((await api.requestDeindex(found.id, 'k')).outcome).toBe('409 creator_rebinding_required');
  await api.roster();
  expect((await api.requestDeindex(found.id, 'k')).outcome).toBe('409 creator_not_eligible');
});

test('ids of others, of other kinds, malformed or unknown are 404 (D9)', async () => {
  const finding = await findings();
  const { id } = await request(finding);
  const { api } = await service.agency();
  expect((await api.requestDeindex(finding.found.id, 'k')).outcome).toBe('404 not_found');
  expect((await api.get(`/v1/deindex-requests/${id}`)).outcome).toBe('404 not_found');
  for (const wrong of [id, finding.creator.id, 'cas_1', 'cas_00000000000000000000000000']) {
    expect((await finding.agency.api.requestDeindex(wrong, 'k')).outcome).toBe('404 not_found');
  }
  for (const wrong of [finding.found.id, 'dix_1', 'dix_00000000000000000000000000']) {
    expect((await finding.agency.api.get(`/v1/deindex-requests/${wrong}`)).outcome).toBe('404 not_found');
  }
});

test('the requests of a creator that has left are not found, and not submitted (D9)', async () => {
  const finding = await findings();
  const { agency, creator, found } = finding;
  await platform.fault({ operation: 'submitDeindex', kind: 'close_before' });
  const { id } = await request(finding);
  await service.quiet();
  await agency.changeUser(creator.userId, { archived: true });
  // The roster lacks it twice.
  for (let sync = 0; sync < 3; sync++) await service.pass(5 * MINUTE);
  const history = await service.services.log.readStream(streamName('creator', creator.id as CreatorId));
  expect(history.map(({ type }) => type)).toContain('creator.membershipEnded.v1');
  expect((await agency.api.get(`/v1/deindex-requests/${id}`)).outcome).toBe('404 not_found');
  expect((await agency.api.requestDeindex(found.id, 'k1')).outcome).toBe('404 not_found');
  await platform.heal();
  await service.pass(HOUR);
  expect(await submissions(id)).toBe(0);
});

test('a request that was not submitted when its creator leaves is cancelled, and stays cancelled when the creator returns (D51)', async () => {
  const finding = await findings();
  const { agency, creator } = finding;
  const { id } = await service.whileNothingIsDone(async () => {
    const queued = await request(finding);
    await agency.changeUser(creator.userId, { agency_id: null });
    // Without a provider nothing is submitted before the second synchronization ends the membership.
    await service.restart({ search: undefined });
    return queued;
  });
  for (let sync = 0; sync < 3; sync++) await service.pass(5 * MINUTE);
  await service.restart();
  await agency.changeUser(creator.userId, { agency_id: agency.id });
  await agency.api.creator(creator.id);
  await service.pass(HOUR);
  expect(await agency.api.deindexRequest(id)).toMatchObject({
    status: 'cancelled',
    error_code: 'membership_ended',
    submitted_to_provider: false,
  });
  expect(await submissions(id)).toBe(0);
});

test('the body must name the one provider, and there must be one key (D7, D45)', async () => {
  const { agency, found } = await findings();
  const path = `/v1/cases/${found.id}/deindex-requests`;
  const key = { 'idempotency-key': 'k' };
  const wrong = [{}, { provider: 'other' }, { provider: null }, { provider: ['search'] }];
  for (const body of wrong)
    expect(refusedFields(await agency.api.write('POST', path, body, key))).toEqual(['provider']);
  expect(refusedFields(await agency.api.write('POST', path, { provider: 'search', url: 'x' }, key))).toEqual(['url']);
  for (const header of [undefined, '', 'k'.repeat(121), ['a', 'b']]) {
    const headers = header === undefined ? {} : { 'idempotency-key': header };
    const refused = await agency.api.write('POST', path, { provider: 'search' }, headers);
    expect(refusedFields(refused)).toEqual(['Idempotency-Key']);
  }
});

test('while the agency is denied nothing is submitted; afterwards it is (D19)', async () => {
  const finding = await findings();
  const { agency } = finding;
  await platform.fault({ operation: 'submitDeindex', kind: 'close_before', times: 1 });
  const { id } = await request(finding);
  await service.quiet();
  await agency.change({ kyc_status: 'pending' });
  await service.pass(MINUTE);
  const before = await platform.calls('submitDeindex', id);
  await service.pass(10 * MINUTE);
  expect(await platform.calls('submitDeindex', id)).toEqual(before);
  await agency.change({ kyc_status: 'approved' });
  await service.passUntil(
    async () => expect(await agency.api.deindexRequest(id)).toMatchObject({ status: 'queued' }),
    MINUTE,
  );
  expect(await submissions(id)).toBe(1);
});

test('without a provider it is svc_engine_not_configured, after every other gate; waiting requests stay queued', async () => {
  const { agency, creator, found } = await findings();
  await agency.leaks(creator.userId, 1);
  const native = (await agency.api.cases(creator.id)).find(({ api_deindex_supported }) => !api_deindex_supported);
  await service.restart({ search: undefined });
  expect((await agency.api.requestDeindex(found.id, 'k')).outcome).toBe('503 svc_engine_not_configured');
  expect((await agency.api.requestDeindex(native?.id ?? '', 'k')).outcome).toBe('409 native_case_managed_by_svc');
  await agency.changeUser(creator.userId, { eligible: false });
  expect((await agency.api.requestDeindex(found.id, 'k')).outcome).toBe('409 creator_not_eligible');
  expect(bodyOf<{ engine_configured: boolean }>(await agency.api.get('/v1/me')).engine_configured).toBe(true);
});
