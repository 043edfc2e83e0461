import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { PRESETS } from '#agencies';
import { DAY, MINUTE } from '#kernel';
import { ApiClient } from '../support/api-client.js';
import type { Exchange } from '../support/exchange.js';
import { holdingsOf } from '../support/holdings.js';
import { type Asked, ask, type Operation, operationsOf, subjectIdOf } from '../support/operations.js';
import { startService } from '../support/start-service.js';

// A read and a write are asked for what they would grant, but for the one thing that the row is about; then every route of
// the document with everything wrong that D1 and D19 check later. Nothing may come of either, here or outside.

const PER_MINUTE = 150;
const service = await startService({ env: { RATE_LIMIT_PER_MINUTE: `${PER_MINUTE}` } });
const operations = await operationsOf(service.url);

const founded = await service.agency();
const [expired, revoked] = [await founded.issueKey({ lifetime: '30d' }), await founded.issueKey()];
await founded.revokeKey(revoked.keyId);
await service.pass(30 * DAY);
const ofEarlierBinding = { full: founded.api, bare: await founded.keyWith([]) };
const agency = await founded.transferOwnership();
const bare = await agency.keyWith([]);
const { owner_user_id } = await agency.change({});
const holdings = await holdingsOf(service, agency);
const foreign = await holdingsOf(service, await service.agency());

/** The agency as the platform shows it: in order, and as D19 denies it. */
const SOUND = { onboarding_complete: true, kyc_status: 'approved', owner_user_id };
const NEW_OWNER = { owner_user_id: crypto.randomUUID() };
const UNVERIFIED = { ...NEW_OWNER, kyc_status: 'pending' };
const NOT_ONBOARDED = { ...UNVERIFIED, onboarding_complete: false };

const unreachable = () =>
  service.platform.fault({ operation: 'getAgency', match: { agency_id: agency.id }, kind: 'status', status: 401 });
const spend = async () => {
  for (let request = 0; request < PER_MINUTE; request++) await agency.api.get('/v1/me');
};
const withSecret = (secret: string) => new ApiClient(() => service.url, secret);

/** An error that occurs alone, or together with every error that is checked later. */
interface Situation {
  readonly api: ApiClient;
  readonly agencyIs?: object;
  readonly beforehand?: () => Promise<unknown>;
}

interface Row {
  readonly what: string;
  readonly outcome: string;
  readonly alone: Situation;
  readonly worst: Situation;
  readonly isCounted: boolean;
  readonly calls: readonly string[];
}

const all = { full: agency.api, bare };
const denied = (what: string, code: string, keys: typeof all, alone: Omit<Situation, 'api'>, worst = alone): Row => ({
  what,
  outcome: code,
  alone: { api: keys.full, ...alone },
  worst: { api: keys.bare, ...worst },
  isCounted: true,
  calls: ['getAgency'],
});
const unauthorized = (what: string, api: ApiClient): Row => ({
  what,
  outcome: '401 unauthorized',
  alone: { api },
  worst: { api, agencyIs: NOT_ONBOARDED, beforehand: unreachable },
  isCounted: false,
  calls: [],
});

const ROWS: readonly Row[] = [
  unauthorized('no key', withSecret('')),
  unauthorized('a malformed key', withSecret(agency.api.secret.slice(0, -1))),
  unauthorized('an unknown key', withSecret(`svc_live_${'A'.repeat(43)}`)),
  unauthorized('a revoked key', revoked.api),
  unauthorized('an expired key', expired.api),
  {
    what: 'an allowance that is used up',
    outcome: '429 rate_limited',
    alone: { api: agency.api, beforehand: spend },
    worst: { api: bare, agencyIs: NOT_ONBOARDED, beforehand: () => spend().then(unreachable) },
    isCounted: true,
    calls: [],
  },
  denied(
    'an agency that cannot be verified',
    '503 agency_verification_unavailable',
    all,
    { beforehand: unreachable },
    { agencyIs: NOT_ONBOARDED, beforehand: unreachable },
  ),
  denied(
    'an agency that is not onboarded',
    '403 agency_account_required',
    all,
    { agencyIs: { onboarding_complete: false } },
    { agencyIs: NOT_ONBOARDED },
  ),
  denied(
    'an agency whose KYC is not approved',
    '403 agency_kyc_required',
    all,
    { agencyIs: { kyc_status: 'pending' } },
    { agencyIs: UNVERIFIED },
  ),
  denied('an agency of another owner', '403 agency_owner_changed', all, { agencyIs: NEW_OWNER }),
  denied('a key of an earlier binding', '403 agency_key_reissue_required', ofEarlierBinding, {}),
];

/** Asks for it in an orderly way, or in a way that nobody could make sense of. */
const asIs = (): Asked => ({});
const hopeless = ({ idPrefix, body }: Operation): Asked => ({
  query: '?unheard_of=1',
  ...(idPrefix !== undefined && { id: 'nonsense' }),
  ...(body !== undefined && { bytes: '{"status":' }),
});

const A_READ_AND_A_WRITE = ['GET /v1/creators/{id}', 'PUT /v1/creators/{id}/protection'];

/** Sends it, and has looked whether anything came of it. */
const refusedFor = async (send: () => Promise<Exchange>) => {
  const before = service.recorded;
  let exchange: Exchange | undefined;
  const called = await service.platform.calledDuring(async () => {
    exchange = await send();
  });
  if (exchange === undefined) throw new Error('was not sent');
  const { outcome, headers } = exchange;
  const hasAllowance = ['limit', 'remaining', 'reset'].map((name) => headers[`ratelimit-${name}`] !== undefined);
  const appended = service.recorded - before;
  return {
    outcome,
    hasAllowance: new Set(hasAllowance),
    retryAfter: headers['retry-after'],
    // How often a read that fails is tried is the client's.
    called: new Set(called),
    appended,
  };
};

const refusal = ({ outcome, isCounted = true, calls = ['getAgency'] }: Partial<Row>) => ({
  outcome,
  hasAllowance: new Set([isCounted]),
  retryAfter: outcome === '429 rate_limited' ? expect.stringMatching(/^\d+$/) : undefined,
  called: new Set(calls),
  appended: 0,
});

const named = (some: readonly Operation[]) => some.map((operation) => [operation.name, operation] as const);

/** In a separate minute, the agency as it should be, and nothing left to do. */
const prepare = async ({ agencyIs = {}, beforehand }: Omit<Situation, 'api'>) => {
  await agency.change(SOUND);
  await service.pass(MINUTE);
  await agency.change(agencyIs);
  await beforehand?.();
};

describe.each(ROWS.map((row) => [row.what, row] as const))('%s', (_, row) => {
  describe.each([
    ['alone', row.alone, asIs, operations.filter(({ name }) => A_READ_AND_A_WRITE.includes(name))],
    ['before everything that is checked later', row.worst, hopeless, operations],
  ] as const)(`is ${row.outcome} %s (D1)`, (__, { api, ...situation }, how, asked) => {
    beforeAll(() => prepare(situation));

    test.each(named(asked))('%s', async (___, operation) => {
      if (situation.beforehand === unreachable) await unreachable();
      const refused = await refusedFor(() => ask(api, operation, holdings, how(operation)));
      expect(refused).toEqual(refusal(row));
    });
  });
});

describe('with an agency and a key that may', () => {
  beforeEach(() => prepare({}));

  const each = operations.flatMap((operation) => operation.scopes.map((scope) => [operation, scope] as const));
  test.each(each.map(([operation, scope]) => [operation.name, scope, operation] as const))(
    '%s is 403 without %s, with all other scopes and for any input (D1, D15)',
    async (_, scope, operation) => {
      const api = await agency.keyWith(PRESETS.read_write.filter((other) => other !== scope));
      for (const how of [asIs, hopeless]) {
        const refused = await refusedFor(() => ask(api, operation, holdings, how(operation)));
        expect(refused).toEqual(refusal({ outcome: '403 forbidden' }));
      }
    },
  );

  test.each(named(operations))(
    '%s refuses what it cannot make sense of before it looks anything up (D1)',
    async (_, operation) => {
      const refused = await refusedFor(() => ask(agency.api, operation, holdings, hopeless(operation)));
      expect(refused).toEqual(refusal({ outcome: '400 invalid_request' }));
    },
  );

  test.each(named(operations.filter(({ idPrefix }) => idPrefix !== undefined)))(
    "%s finds nothing of another agency's, nothing of another kind, and nothing that never was (D9)",
    async (_, operation) => {
      const theirs = subjectIdOf(operation, foreign);
      const ids = [
        theirs,
        theirs.replace(/^[a-z]+/, 'key'),
        theirs.toUpperCase(),
        theirs.replace(/_.+/, `_${'0'.repeat(26)}`),
      ];
      for (const id of [...ids, theirs.slice(0, -1), `${theirs}%2F..`, '__proto__', 'x'.repeat(15_000)]) {
        const refused = await refusedFor(() => ask(agency.api, operation, holdings, { id }));
        expect({ id, ...refused }).toEqual({ id, ...refusal({ outcome: '404 not_found' }) });
      }
    },
  );

  test.each(named(operations.filter(({ body }) => body !== undefined && 'workspace_id' in body)))(
    "%s finds no workspace of another agency's, and none of its users (D9, D27)",
    async (_, operation) => {
      const theirs = await refusedFor(() =>
        ask(agency.api, operation, { ...holdings, workspaceId: foreign.workspaceId }),
      );
      expect(theirs).toEqual(refusal({ outcome: '404 not_found' }));
      const { outcome } = await ask(agency.api, operation, { ...holdings, userId: foreign.userId });
      expect(outcome).toBe('404 not_found');
    },
  );
});

describe('of an earlier binding', () => {
  beforeAll(() => prepare({}));

  test('a creator can be read, and nothing of it be written; the roster rebinds it (D21)', async () => {
    const before = await service.agency();
    const held = await holdingsOf(service, before);
    // D41: of one that is active nothing is checked again.
    await before.api.protect(held.creatorId, 'paused');
    const after = await before.transferOwnership();
    const ofCreators = operations.filter(({ idPrefix }) => idPrefix !== undefined && idPrefix !== 'wsp');
    for (const operation of ofCreators) {
      const { outcome } = await ask(after.api, operation, held);
      const expected = operation.method === 'GET' ? '200' : '409 creator_rebinding_required';
      expect([operation.name, outcome]).toEqual([operation.name, expected]);
    }
    await after.api.roster();
    expect((await after.api.protect(held.creatorId, 'paused')).outcome).toBe('200');
  });
});

describe('with nothing wrong', () => {
  beforeAll(() => prepare({}));

  test.each(named(operations))('%s grants what all of the above were refused', async (_, operation) => {
    const { outcome, headers } = await ask(agency.api, operation, holdings);
    expect(outcome).toMatch(/^20[012]$/);
    expect(headers['ratelimit-remaining']).toMatch(/^\d+$/);
  });
});
