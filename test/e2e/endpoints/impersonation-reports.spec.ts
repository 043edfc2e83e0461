import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Agency } from '../support/agency.js';
import { bodyOf } from '../support/api-client.js';
import { type Exchange, refusedFields } from '../support/exchange.js';
import type { Impersonation } from '../support/resources.js';
import { startService } from '../support/start-service.js';

const service = await startService({ platformHangs: true });
const agency = await service.agency();

const URL_OF_FAKE = 'https://www.instagram.com/not_ivy';
const report = (creatorId: string, key: string = randomUUID(), url = URL_OF_FAKE, of: Agency = agency) =>
  of.api.reportImpersonation(creatorId, url, key);
const reported = (answer: Exchange) => bodyOf<Impersonation>(answer);

/** How many cases the platform has opened for a creator, over the API or not. */
const opened = async (userId: string) => {
  const state = await service.platform.control<{ impersonations: { user_id: string }[] }>('GET', '/state');
  return state.impersonations.filter((record) => record.user_id === userId).length;
};

const createdOf = async (creatorId: string) =>
  (await agency.publishedEvents()).filter(
    ({ type, data }) => type === 'impersonation.created' && data.creator_id === creatorId,
  );

test('a report opens one case at the platform, and answers with the impersonation (D54)', async () => {
  const { id, userId } = await agency.linked();
  const answer = await report(id);
  expect([answer.outcome, answer.body]).toEqual([
    '201',
    {
      id: expect.stringMatching(/^imp_/),
      creator_id: id,
      platform: 'instagram',
      url: URL_OF_FAKE,
      username: 'not_ivy',
      status: 'open',
      created_at: service.clock.now(),
      updated_at: service.clock.now(),
      available: true,
      simulated: false,
    },
  ]);
  expect(await opened(userId)).toBe(1);
});

test('a report of the longest URL succeeds even if the platform makes a long username of it (D65)', async () => {
  const { id } = await agency.linked();
  const url = 'https://onlyfans.com/'.padEnd(2_048, '0');
  const answer = await report(id, 'longest', url);
  expect([answer.outcome, reported(answer).username]).toEqual(['201', null]);
  expect((await report(id, 'longest', url)).outcome).toBe('200');
  // The platform's list has it with the long username: that record is left out, and counts as present.
  const shown = await agency.api.impersonations(id);
  expect(shown.map(({ url: listed, available }) => [listed, available])).toEqual([[url, true]]);
});

test('is listed and published immediately, and a walk finds nothing new in it', async () => {
  const { id } = await agency.linked();
  const { id: impersonationId } = reported(await report(id));
  expect((await createdOf(id)).map(({ data }) => data.impersonation_id)).toEqual([impersonationId]);
  expect((await agency.api.impersonations(id)).map((shown) => shown.id)).toEqual([impersonationId]);
  expect(await createdOf(id)).toHaveLength(1);
});

test('a repeat is 200 with the impersonation as it is now, and has no second effect (D45)', async () => {
  const { id, userId } = await agency.linked();
  const key = randomUUID();
  const first = reported(await report(id, key));
  const [nativeId = ''] = Object.values(
    (
      await service.platform.control<{ impersonations: { user_id: string; impersonation_id: string }[] }>(
        'GET',
        '/state',
      )
    ).impersonations,
  )
    .filter((record) => record.user_id === userId)
    .map((record) => record.impersonation_id);
  service.clock.advance(1);
  await service.platform.control('PATCH', `/impersonations/${nativeId}`, { status: 'removed' });
  await agency.api.impersonations(id);
  const calls = (await service.platform.calls('reportImpersonation')).length;
  const repeat = await report(id, key);
  expect([repeat.outcome, repeat.body]).toEqual([
    '200',
    { ...first, status: 'removed', updated_at: first.updated_at + 1 },
  ]);
  expect(await service.platform.calls('reportImpersonation')).toHaveLength(calls);
  expect(await opened(userId)).toBe(1);
});

test('a replay precedes the gates, and does not call the platform', async () => {
  const { id } = await agency.linked();
  const key = randomUUID();
  await report(id, key);
  await service.platform.fault({ operation: 'reportImpersonation', kind: 'status', status: 500 });
  expect((await report(id, key)).outcome).toBe('200');
});

test('ten concurrent requests under one key are one report', async () => {
  const { id, userId } = await agency.linked();
  const key = randomUUID();
  const answers = await Promise.all(Array.from({ length: 10 }, () => report(id, key)));
  expect(answers.filter(({ outcome }) => outcome === '201')).toHaveLength(1);
  expect(new Set(answers.map(({ outcome }) => outcome))).toEqual(new Set(['200', '201']));
  expect(new Set(answers.map((answer) => reported(answer).id)).size).toBe(1);
  expect(await opened(userId)).toBe(1);
  expect(await createdOf(id)).toHaveLength(1);
  // The platform counts by reference: each report of this file arrived once.
  expect(new Set(Object.values((await service.platform.effects()).impersonations))).toEqual(new Set([1]));
});

test('other keys are other reports', async () => {
  const { id, userId } = await agency.linked();
  expect(reported(await report(id)).id).not.toBe(reported(await report(id)).id);
  expect(await opened(userId)).toBe(2);
});

test('the same key with another url or another creator is a conflict, and has no effect', async () => {
  const [{ id, userId }, other] = [await agency.linked(), await agency.linked()];
  const key = randomUUID();
  await report(id, key);
  expect((await report(id, key, `${URL_OF_FAKE}2`)).outcome).toBe('409 idempotency_conflict');
  expect((await report(other.id, key)).outcome).toBe('409 idempotency_conflict');
  expect([await opened(userId), await opened(other.userId)]).toEqual([1, 0]);
});

test('another agency, or a scan, may use the same key', async () => {
  const elsewhere = await service.agency();
  const [mine, theirs] = [await agency.active(), await elsewhere.linked()];
  const key = randomUUID();
  expect((await agency.api.queueScan(mine.id, key)).outcome).toBe('202');
  expect((await report(mine.id, key)).outcome).toBe('201');
  expect((await report(theirs.id, key, URL_OF_FAKE, elsewhere)).outcome).toBe('201');
});

test('an unsupported url is 400 on the url, and consumes no key', async () => {
  const { id, userId } = await agency.linked();
  const key = randomUUID();
  for (const url of ['https://myspace.example/not_ivy', 'http://instagram.com/not_ivy', 'https://instagram.com/']) {
    expect(refusedFields(await report(id, key, url))).toEqual(['url']);
  }
  expect((await report(id, key)).outcome).toBe('201');
  expect(await opened(userId)).toBe(1);
});

test.each([
  [{}],
  [{ url: null }],
  [{ url: 7 }],
  [{ url: '' }],
  [{ url: 'not_ivy' }],
  [{ url: 'ftp://instagram.com/a' }],
  [{ url: 'javascript:alert(1)' }],
  [{ url: 'https://' }],
  [{ url: ' https://instagram.com/a' }],
  [{ url: 'https://instagram.com/a b' }],
  [{ url: 'https://instagram.com/ivÿ' }],
  [{ url: 'https://instagram.com/%zz' }],
  [{ url: `https://instagram.com/${'a'.repeat(2_027)}` }],
])('the body %j is 400 on the url, and nothing is sent', async (body) => {
  const { id } = await agency.linked();
  const calls = (await service.platform.calls('reportImpersonation')).length;
  const path = `/v1/creators/${id}/impersonations`;
  expect(refusedFields(await agency.api.write('POST', path, body, { 'idempotency-key': 'k' }))).toEqual(['url']);
  expect(await service.platform.calls('reportImpersonation')).toHaveLength(calls);
});

test('a url of 2,048 characters is accepted, and unknown fields are not', async () => {
  const { id } = await agency.linked();
  const url = `https://instagram.com/a?${'b'.repeat(2_024)}`;
  expect(url).toHaveLength(2_048);
  expect((await report(id, randomUUID(), url)).outcome).not.toMatch(/^5/);
  const path = `/v1/creators/${id}/impersonations`;
  const body = { url: URL_OF_FAKE, private_notes: 'x' };
  expect(refusedFields(await agency.api.write('POST', path, body, { 'idempotency-key': 'k' }))).toEqual([
    'private_notes',
  ]);
});

test.each([[undefined], [''], ['k'.repeat(121)]])('the idempotency key %j is 400', async (key) => {
  const { id } = await agency.linked();
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  const path = `/v1/creators/${id}/impersonations`;
  expect(refusedFields(await agency.api.write('POST', path, { url: URL_OF_FAKE }, headers))).toEqual([
    'Idempotency-Key',
  ]);
});

test.each([
  [{ kind: 'hang', effect: 'after' }, 1],
  [{ kind: 'hang', effect: 'before' }, 0],
  [{ kind: 'close_after' }, 1],
  [{ kind: 'close_before' }, 0],
  [{ kind: 'status', status: 500, effect: 'after' }, 1],
  [{ kind: 'status', status: 429 }, 0],
  [{ kind: 'broken_json' }, 1],
] as const)('a report lost to %j is 504, and the same again settles it: one case (D54)', async (fault, effects) => {
  const { id, userId } = await agency.linked();
  const key = randomUUID();
  await service.platform.fault({ operation: 'reportImpersonation', ...fault, times: 1 });
  expect((await report(id, key)).outcome).toBe('504 provider_timeout');
  expect(await opened(userId)).toBe(effects);
  expect((await report(id, key, `${URL_OF_FAKE}2`)).outcome).toBe('409 idempotency_conflict');
  const settled = await report(id, key);
  expect(settled.outcome).toBe('201');
  expect((await report(id, key)).body).toEqual(settled.body);
  expect(await opened(userId)).toBe(1);
  expect(await createdOf(id)).toHaveLength(1);
});

test('a report that nobody repeats is found by the next walk, if it was made', async () => {
  const { id } = await agency.linked();
  const key = randomUUID();
  await service.platform.fault({ operation: 'reportImpersonation', kind: 'close_after', times: 1 });
  expect((await report(id, key)).outcome).toBe('504 provider_timeout');
  const [found] = await agency.api.impersonations(id);
  expect(reported(await report(id, key)).id).toBe(found?.id);
  expect(await createdOf(id)).toHaveLength(1);
});

test('a repeat that settles a report of a removed impersonation does not restore it', async () => {
  const { id } = await agency.linked();
  const key = randomUUID();
  await service.platform.fault({ operation: 'reportImpersonation', kind: 'close_after', times: 1 });
  await report(id, key);
  await agency.api.impersonations(id);
  const { impersonations } = await service.platform.control<{
    impersonations: { url: string; user_id: string; impersonation_id: string }[];
  }>('GET', '/state');
  const { userId } = { userId: (await agency.api.creator(id)).svc_user_id };
  const native = impersonations.find((record) => record.user_id === userId);
  service.clock.advance(1);
  await service.platform.control('DELETE', `/impersonations/${native?.impersonation_id}`);
  await agency.api.impersonations(id);
  expect(reported(await report(id, key))).toMatchObject({ available: false });
});

test('a refusal that the contract does not know is 502, and consumes no key', async () => {
  const { id } = await agency.linked();
  const key = randomUUID();
  const fault = { operation: 'reportImpersonation', kind: 'refuse', status: 409, code: 'too_late', times: 1 };
  await service.platform.fault(fault);
  expect((await report(id, key)).outcome).toBe('502 provider_invalid_response');
  expect((await report(id, key, `${URL_OF_FAKE}2`)).outcome).toBe('201');
});

test('nothing is sent twice after a restart', async () => {
  const { id, userId } = await agency.linked();
  const key = randomUUID();
  const first = reported(await report(id, key));
  await service.restart();
  const repeat = await report(id, key);
  expect([repeat.outcome, reported(repeat).id]).toEqual(['200', first.id]);
  expect(await opened(userId)).toBe(1);
});

test('an invited creator has to complete its onboarding first; then it can be reported for', async () => {
  const { id, invitation_id } = await agency.invited();
  const key = randomUUID();
  expect((await report(id, key)).outcome).toBe('409 creator_invitation_pending');
  await service.platform.control('POST', `/invitations/${invitation_id}/accept`);
  expect((await report(id, key)).outcome).toBe('409 creator_invitation_pending');
  await service.platform.control('POST', `/invitations/${invitation_id}/onboard`);
  expect((await report(id, key)).outcome).toBe('201');
});

test('a creator of an earlier binding has to be rebound first; a replay does not (D21, D45)', async () => {
  const changed = await service.agency();
  const { id } = await changed.linked();
  const key = randomUUID();
  await report(id, key, URL_OF_FAKE, changed);
  await changed.change({ owner_user_id: randomUUID() });
  await changed.bind();
  const { api } = await changed.issueKey();
  expect((await api.reportImpersonation(id, URL_OF_FAKE, key)).outcome).toBe('200');
  expect((await api.reportImpersonation(id, URL_OF_FAKE, randomUUID())).outcome).toBe('409 creator_rebinding_required');
  await api.roster();
  expect((await api.reportImpersonation(id, URL_OF_FAKE, randomUUID())).outcome).toBe('201');
});

test("another agency's, an unknown, a malformed and a departed creator are 404, and nothing is sent", async () => {
  const elsewhere = await (await service.agency()).linked();
  const departed = await agency.linked();
  await agency.changeUser(departed.userId, { agency_id: null });
  for (const id of [elsewhere.id, 'crt_00000000000000000000000000', 'nobody', departed.id]) {
    expect((await report(id)).outcome).toBe('404 not_found');
  }
  expect([await opened(elsewhere.userId), await opened(departed.userId)]).toEqual([0, 0]);
});
