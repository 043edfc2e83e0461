import { expect, test } from '@jest/globals';
import { type CreatorId, HOUR, MINUTE, SECOND, streamName } from '#kernel';
import type { Agency } from '../support/agency.js';
import { findingsIn, requestDeindex } from '../support/findings.js';
import { startService } from '../support/start-service.js';
import { UNKNOWN_OUTCOMES } from '../support/unknown-outcomes.js';

const service = await startService({ platformHangs: true, env: { CREATOR_SYNC_EVERY: '5m' } });
const { platform } = service;

const findings = () => findingsIn(service);
const submission = (id: string, change: object) => platform.control('PATCH', `/deindex-submissions/${id}`, change);
const submissions = async (id: string) => (await platform.effects()).submissions[id] ?? 0;
const changes = async (agency: Agency) =>
  (await agency.publishedEvents())
    .filter(({ type }) => type === 'deindex.status_changed')
    .map(({ data }) => [data.status, data.submitted_to_provider, data.removal_verified]);

test('it is followed until it is settled; each change of status or of a flag is published, the creation is not (D51)', async () => {
  const finding = await findings();
  const { agency, found, creator } = finding;
  const { id } = await requestDeindex(finding);
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
  const { id } = await requestDeindex(finding);
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
  const { id } = await requestDeindex(finding);
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

test('a 422 is rejected, and nothing was submitted (D51)', async () => {
  const finding = await findings();
  await platform.control('PATCH', `/leaks/${finding.found.leak_id}`, { actionable: false });
  const { id } = await requestDeindex(finding);
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
  const { id } = await requestDeindex(finding);
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
  const { id } = await requestDeindex(finding);
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
  const { id } = await requestDeindex(finding);
  await service.quiet();
  await platform.control('DELETE', `/deindex-submissions/${id}?forget=true`);
  await service.pass(MINUTE);
  expect(await finding.agency.api.deindexRequest(id)).toMatchObject({ status: 'uncertain' });
  await service.pass(HOUR);
  expect(await submissions(id)).toBe(1);
  expect(await platform.calls('submitDeindex', id)).toHaveLength(1);
});

test('the requests of a creator that has left are not found, and not submitted (D9)', async () => {
  const finding = await findings();
  const { agency, creator, found } = finding;
  await platform.fault({ operation: 'submitDeindex', kind: 'close_before' });
  const { id } = await requestDeindex(finding);
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
    const queued = await requestDeindex(finding);
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

test('while the agency is denied nothing is submitted; afterwards it is (D19)', async () => {
  const finding = await findings();
  const { agency } = finding;
  await platform.fault({ operation: 'submitDeindex', kind: 'close_before', times: 1 });
  const { id } = await requestDeindex(finding);
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
