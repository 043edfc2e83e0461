import { inspect } from 'node:util';
import { afterEach, describe, expect, test } from '@jest/globals';
import { agencyId, type CreatorId, DomainError, type Effect, type ScanId, type UserId } from '#kernel';
import {
  cutOff,
  drip,
  failure,
  hangUp,
  json,
  notHttp,
  type Reply,
  raw,
  ScriptedPlatform,
  silence,
  stall,
} from '../../testing/src/scripted-platform.js';
import type { NativePlatform } from './native-platform.js';
import { PAGE_BYTES } from './paged-reader.js';
import type { CallReport } from './provider.js';
import { agency, creator, invitation, OTHER_USER, REFERENCE, SCAN, scanJob, USER } from './records/records.fixtures.js';
import { scriptedService } from './testing/scripted-service.js';

const TOKEN = 'token-that-must-not-show';
const PRIVATE = 'private-that-must-not-show';
const A = agencyId(`agency-${PRIVATE}`);
const U = USER as UserId;

const { service, connect: open } = await scriptedService();
const reports: CallReport[] = [];
afterEach(() => {
  reports.length = 0;
});

const connect = (timeout: number, url = service.url): NativePlatform => {
  const address = { url, token: TOKEN };
  return open({ platform: address, engine: address, timeout, onCall: (report) => reports.push(report) });
};

const READS: [operation: string, read: (platform: NativePlatform) => Promise<unknown>][] = [
  ['getAgency', ({ client }) => client.getAgency(A)],
  ['getCapacity', ({ client }) => client.getCapacity(A)],
  ['listRoster', ({ client }) => client.listRoster(A, { limit: 10 })],
  ['getNativeCreator', ({ client }) => client.getCreator(A, U)],
  ['findInvitation', ({ client }) => client.findInvitation(A, REFERENCE as CreatorId)],
  ['getInvitation', ({ client }) => client.getInvitation(A, 'inv-1')],
  ['listLeaks', ({ client }) => client.listLeaks(A, U, { limit: 10 })],
  ['listImpersonations', ({ client }) => client.listImpersonations(A, U, { limit: 10 })],
  ['listActivity', ({ client }) => client.listActivity(A, U, { limit: 10 })],
  ['findScanJob', ({ engine }) => engine.findJob(SCAN as ScanId)],
  ['getScanJob', ({ engine }) => engine.getJob('job-1')],
];
const isList = (operation: string) => operation.startsWith('list');
const LISTS = READS.filter(([operation]) => isList(operation));

const invite = ({ client }: NativePlatform) =>
  client.invite(A, {
    reference: REFERENCE as CreatorId,
    email: `${PRIVATE}@example.org`,
    firstName: PRIVATE,
    lastName: PRIVATE,
    locale: 'en',
    displayName: PRIVATE,
  });

const EFFECTS: [operation: string, change: (platform: NativePlatform) => Promise<Effect<unknown>>][] = [
  ['updateIdentity', ({ client }) => client.updateIdentity(A, U, { displayName: PRIVATE })],
  ['invite', invite],
  ['occupySlot', ({ client }) => client.occupySlot(A, U, 7)],
  ['releaseSlot', ({ client }) => client.releaseSlot(A, U, 7)],
  ['reportImpersonation', ({ client }) => client.reportImpersonation(A, U, { reference: REFERENCE, url: PRIVATE })],
  ['dispatchScan', ({ engine }) => engine.dispatch({ reference: SCAN as ScanId, agencyId: A, userId: U, handles: [] })],
];

const cutOffChunks: Reply = (response) =>
  response.writeHead(200, { connection: 'close' }).write('[', () => response.socket?.end());

/** The faults of an answer and the error that each one causes, for reads and effects alike. */
const FAULTS: [what: string, reply: Reply, code: string][] = [
  ['no answer at all', silence, 'provider_timeout'],
  ['an answer that stops', stall(`{"id":"${PRIVATE}`), 'provider_timeout'],
  ['an answer that drips', drip(5), 'provider_timeout'],
  ['a connection broken instead of an answer', hangUp, 'provider_unavailable'],
  ['a connection broken within an answer', cutOff(`{"id":"${PRIVATE}`), 'provider_unavailable'],
  ['a last connection broken within an answer', cutOff('[', { connection: 'close' }), 'provider_unavailable'],
  ['a connection broken between two chunks', cutOffChunks, 'provider_unavailable'],
  ['a 408', raw(408), 'provider_unavailable'],
  ['a 425', raw(425), 'provider_unavailable'],
  ['a 429', failure(429, 'rate_limited'), 'provider_unavailable'],
  ['a 500', failure(500, 'internal_error'), 'provider_unavailable'],
  ['a 503 without an envelope', raw(503, `<p>${PRIVATE}</p>`), 'provider_unavailable'],
  ['something that is not HTTP', notHttp, 'provider_invalid_response'],
  ['headers without end', raw(200, '', { 'x-long': 'x'.repeat(20_000) }), 'provider_invalid_response'],
  ['a redirect', raw(307, '', { location: '/elsewhere' }), 'provider_invalid_response'],
  ['a status that the contract does not know', json(203, agency), 'provider_invalid_response'],
  ['a 4xx without an envelope', raw(404, `<p>${PRIVATE}</p>`), 'provider_invalid_response'],
  ['a 4xx with half an envelope', json(404, { error: { code: 'not_found' } }), 'provider_invalid_response'],
];

const TOO_LONG = `"${PRIVATE.repeat(400_000)}"`;

/** The same, for what answers with a record. */
const NONSENSE: [what: string, body: string | Uint8Array][] = [
  ['no body', ''],
  ['broken JSON', `{"display_name":"${PRIVATE}"`],
  ['text that is not UTF-8', Buffer.from('"\xff"', 'latin1')],
  ['an array', '[]'],
  ['null', 'null'],
  ['another shape', JSON.stringify({ [PRIVATE]: PRIVATE })],
  ['more than can be meant', TOO_LONG],
];

const isTimeout = (code: string) => code === 'provider_timeout';
const timeoutFor = (code: string) => (isTimeout(code) ? 120 : 10_000);

const expectFailure = (error: unknown, code: string) => {
  expect(error).toBeInstanceOf(DomainError);
  expect(error).toMatchObject({ code, cause: expect.any(Error) });
  const shown = `${inspect(error, { depth: null, showHidden: true })}${JSON.stringify(error)}`;
  expect(shown).not.toContain(TOKEN);
  expect(shown).not.toContain(PRIVATE);
};

const failureOf = async (call: Promise<unknown>): Promise<unknown> => {
  try {
    return await call.then(() => undefined);
  } catch (error) {
    return error;
  }
};

// One that has to be there and one that need not: all others take the same two ways.
describe.each(READS.filter(([operation]) => ['getCapacity', 'getAgency'].includes(operation)))(
  '%s',
  (operation, read) => {
    test.each(FAULTS)('rejects on %s', async (_, reply, code) => {
      service.answer(reply);
      expectFailure(await failureOf(read(connect(timeoutFor(code)))), code);
      expect(reports).toEqual([{ operation, outcome: code, durationMs: expect.any(Number) }]);
    });
  },
);

// All lists in one test: each waits for seconds between its calls, because large answers are read at a bounded rate.
test('each list takes more than can be meant for an invalid response, after calls for 10, 3 and 1', async () => {
  expect(TOO_LONG.length).toBeGreaterThan(PAGE_BYTES);
  service.answer(raw(200, TOO_LONG));
  const failures = await Promise.all(LISTS.map(([, read]) => failureOf(read(connect(10_000)))));
  for (const error of failures) expectFailure(error, 'provider_invalid_response');
  const limits = service.calls.map(({ url }) => new URL(url, service.url).searchParams.get('limit'));
  expect(limits.toSorted()).toEqual(['1', '10', '3'].flatMap((limit) => LISTS.map(() => limit)));
});

describe.each(READS)('%s', (operation, read) => {
  const nonsense = isList(operation) ? NONSENSE.filter(([, body]) => body !== TOO_LONG) : NONSENSE;
  test.each(nonsense)('takes %s for an invalid response', async (_, body) => {
    service.answer(raw(200, body));
    expectFailure(await failureOf(read(connect(10_000))), 'provider_invalid_response');
    expect(service.calls).toHaveLength(1);
  });

  test.each([400, 401, 403, 409, 422])('takes a %d for an invalid response', async (status) => {
    service.answer(failure(status, PRIVATE));
    expectFailure(await failureOf(read(connect(10_000))), 'provider_invalid_response');
    expect(service.calls).toHaveLength(1);
  });

  const mayBeAbsent = [
    'getAgency',
    'getNativeCreator',
    'getInvitation',
    'listLeaks',
    'listImpersonations',
    'listActivity',
    'getScanJob',
  ].includes(operation);
  test(`takes a 404 not_found for ${mayBeAbsent ? 'none' : 'an invalid response'}`, async () => {
    service.answer(failure(404, 'not_found'));
    const call = read(connect(10_000));
    if (mayBeAbsent) expect(await call).toBeUndefined();
    else expectFailure(await failureOf(call), 'provider_invalid_response');
    expect(reports).toMatchObject([{ operation, outcome: mayBeAbsent ? 'absent' : 'provider_invalid_response' }]);
  });

  test('does not take a 404 of another code for none', async () => {
    service.answer(failure(404, 'no_such_route'));
    expectFailure(await failureOf(read(connect(10_000))), 'provider_invalid_response');
  });
});

describe.each(EFFECTS)('%s', (operation, change) => {
  const expectUnknown = async (effect: Promise<Effect<unknown>>, code: string) => {
    const settled = await effect;
    expect(settled.outcome).toBe('unknown');
    if (settled.outcome === 'unknown') expectFailure(settled.error, code);
    expect(service.calls).toHaveLength(1);
    expect(reports).toEqual([{ operation, outcome: code, durationMs: expect.any(Number) }]);
  };

  test.each(FAULTS.filter(([, , code]) => !isTimeout(code)))(
    'is sent once and its effect unknown on %s',
    async (_, reply, code) => {
      service.answer(reply);
      await expectUnknown(change(connect(10_000)), code);
    },
  );

  test.each([400, 401, 403, 404, 409, 422])('is refused by a %d, if that is a refusal', async (status) => {
    service.answer(failure(status, 'some_code'));
    const effect = change(connect(10_000));
    if (operation === 'dispatchScan' && status !== 422) await expectUnknown(effect, 'provider_invalid_response');
    else expect(await effect).toEqual({ outcome: 'refused', code: 'some_code' });
    expect(service.calls).toHaveLength(1);
  });

  test('is unknown if nothing listens at the address', async () => {
    const gone = await ScriptedPlatform.start();
    const { url } = gone;
    await gone.close();
    expect(await change(connect(10_000, url))).toMatchObject({
      outcome: 'unknown',
      error: { code: 'provider_unavailable' },
    });
  });
});

// All changes in one test: each call has to arrive before its deadline, so that one is long, on a busy machine too.
test.each(FAULTS.filter(([, , code]) => isTimeout(code)))(
  'each change is sent once and its effect unknown on %s',
  async (_, reply, code) => {
    service.answer(reply);
    const effects = await Promise.all(EFFECTS.map(([, change]) => change(connect(3_000))));
    for (const effect of effects) {
      expect(effect.outcome).toBe('unknown');
      if (effect.outcome === 'unknown') expectFailure(effect.error, code);
    }
    expect(service.calls).toHaveLength(EFFECTS.length);
    const expected = EFFECTS.map(([operation]) => ({ operation, outcome: code, durationMs: expect.any(Number) }));
    expect(reports).toHaveLength(EFFECTS.length);
    expect(reports).toEqual(expect.arrayContaining(expected));
  },
);

describe.each(EFFECTS.filter(([operation]) => !operation.endsWith('Slot')))('%s', (operation, change) => {
  const done = { updateIdentity: 200, invite: 201, reportImpersonation: 201, dispatchScan: 202 }[operation] ?? 0;

  test.each(NONSENSE)('is unknown when it is answered by %s', async (_, body) => {
    service.answer(raw(done, body));
    const effect = await change(connect(10_000));
    expect(effect.outcome).toBe('unknown');
    if (effect.outcome === 'unknown') expectFailure(effect.error, 'provider_invalid_response');
    expect(service.calls).toHaveLength(1);
  });

  test.each([
    ['user', { ...creator, user_id: OTHER_USER }],
    ['reference', { ...invitation, reference: `crt_${PRIVATE}` }],
    ['reference', { ...scanJob, reference: `scn_${PRIVATE}` }],
  ])('is unknown when it is answered by the record of another %s', async (_, body) => {
    service.answer(json(done, body));
    expect(await change(connect(10_000))).toMatchObject({
      outcome: 'unknown',
      error: { code: 'provider_invalid_response' },
    });
  });
});

test('a slow answer ends the connection at the deadline', async () => {
  service.answer(drip(5));
  await failureOf(connect(100).client.getAgency(A));
  await service.calls[0]?.over;
});
