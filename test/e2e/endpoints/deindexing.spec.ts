import { expect, test } from '@jest/globals';
import type { DeindexRequest } from '#client';
import { MINUTE } from '#kernel';
import type { Agency } from '../support/agency.js';
import { refusedFields } from '../support/exchange.js';
import { findingIn, requestDeindex } from '../support/findings.js';
import { startService } from '../support/start-service.js';

const service = await startService({ platformHangs: true, env: { CREATOR_SYNC_EVERY: '5m' } });
const { platform } = service;
const findingHere = () => findingIn(service);
const submission = (id: string, change: object) => platform.control('PATCH', `/submissions/${id}`, change);
const submissions = async (id: string) => (await platform.effects()).submissions[id] ?? 0;

test('a request is 202 and queued; nothing is sent within it, and the worker submits it once', async () => {
  const finding = await findingHere();
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

test('the body must name the one provider (D7)', async () => {
  const { agency, found } = await findingHere();
  for (const body of [{}, { provider: 'other' }, { provider: ['search'] }]) {
    const refused = agency.api.write('POST', `/v1/cases/${found.id}/deindex-requests`, body, {
      'idempotency-key': 'k',
    });
    expect(refusedFields(await refused)).toEqual(['provider']);
  }
});

const changes = async (agency: Agency) =>
  (await agency.publishedEvents())
    .filter(({ type }) => type === 'deindex.status_changed')
    .map(({ data }) => [data.status, data.submitted_to_provider, data.removal_verified]);

test('it is followed until it is settled; each change of status or of a flag is published, the creation is not (D51)', async () => {
  const finding = await findingHere();
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
