import { expect, test } from '@jest/globals';
import { HOUR, MINUTE } from '#kernel';
import { bodyOf } from '../support/api-client.js';
import { refusedFields } from '../support/exchange.js';
import { findingsIn, requestDeindex } from '../support/findings.js';
import type { DeindexRequest } from '../support/resources.js';
import { startService } from '../support/start-service.js';

const service = await startService({ platformHangs: true, env: { CREATOR_SYNC_EVERY: '5m' } });
const { platform } = service;

const findings = (count?: number) => findingsIn(service, count);
const submission = (id: string, change: object) => platform.control('PATCH', `/deindex-submissions/${id}`, change);
const submissions = async (id: string) => (await platform.effects()).submissions[id] ?? 0;

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
  const { id } = await requestDeindex(finding);
  await service.quiet();
  await submission(id, change);
  expect(await finding.agency.api.deindexRequest(id)).toMatchObject(shown);
});

test('a read while the provider fails shows that failure, and nothing stale (D36)', async () => {
  const finding = await findings();
  const { id } = await requestDeindex(finding);
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

test('the same key and case are the same request, as it is now, also when the creator has left (D45)', async () => {
  const finding = await findings();
  const { agency, creator, found } = finding;
  const first = await requestDeindex(finding);
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
  const [one, two] = [await requestDeindex(finding, 'k1'), await requestDeindex(finding, 'k2')];
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
  const { id } = await requestDeindex(finding);
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
