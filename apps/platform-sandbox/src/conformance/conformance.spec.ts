import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Sandbox, SandboxClient, startSandbox } from '../index.js';
import { type Alter, type BrokenPlatform, startBrokenPlatform } from './broken-platform.fixtures.js';
import { type CheckResult, checks, runChecks } from './run-checks.js';

const AGENCY = 'agency_demo';
type Records = { data?: Record<string, unknown>[] };
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ token: 'conformance', demo: true, scanDurationMs: 50 });
});
afterAll(() => sandbox.close());

async function resultsOf(url: string, agency?: string, chosen = checks): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for await (const result of runChecks({ url, token: sandbox.token, agency }, chosen)) results.push(result);
  return results;
}

describe('the conformance checks', () => {
  test('pass against the sandbox, none skipped', async () => {
    const results = await resultsOf(sandbox.url, AGENCY);
    expect(results.filter(({ result }) => result !== 'pass')).toEqual([]);
    expect(results.length).toBeGreaterThan(100);
  });

  test('pass again against the records that the first run left', async () => {
    const results = await resultsOf(sandbox.url, AGENCY);
    expect(results.filter(({ result }) => result !== 'pass')).toEqual([]);
  });

  test('skip what needs an agency when none is given', async () => {
    const results = await resultsOf(sandbox.url);
    expect(results.filter(({ result }) => result === 'fail')).toEqual([]);
    expect(results.some(({ reason }) => reason === 'no agency was given')).toBe(true);
  });

  test('skip what an empty agency has nothing for', async () => {
    await fetch(`${sandbox.url}/_sandbox/agencies/empty`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${sandbox.token}` },
    });
    const results = await resultsOf(sandbox.url, 'empty');
    expect(results.filter(({ result }) => result === 'fail')).toEqual([]);
    expect(results.some(({ reason }) => reason === 'the roster is empty')).toBe(true);
  });

  test('skip the billing operations of a platform that does not offer them', async () => {
    await new SandboxClient(sandbox).control('PATCH', '/agencies/without', { billing_offered: false });
    const chosen = checks.filter(({ name }) => /PaymentMethods|BillingSession/.test(name));
    const results = await resultsOf(sandbox.url, 'without', chosen);
    expect(results).toHaveLength(12);
    expect(new Set(results.map(({ result, reason }) => `${result}: ${reason}`))).toEqual(
      new Set(['skipped: the platform does not offer it']),
    );
  });
});

const authorized: Alter = { header: () => `Bearer ${sandbox.token}` };
const unlimited: Alter = { url: (url) => url.replace(/limit=[^&]+/, 'limit=200') };
const withoutUpdatedSince: Alter = { url: (url) => url.replace(/&?updated_since=[^&]+/, '') };
const bareErrors: Alter = { body: (body) => (body as { error?: object }).error ?? body };
const lowFences: Alter = {
  body: (body) => {
    const { error } = body as { error?: { code: string; fence?: number } };
    if (error?.code === 'stale_fence' && (error.fence ?? 1) > 1) error.fence = (error.fence ?? 1) - 1;
    return body;
  },
};
const fullNumber: Alter = {
  body: (body, url) => {
    if (url.endsWith('/payment-methods'))
      for (const one of (body as Records).data ?? []) one.label = '4242424242424242';
    return body;
  },
};
const plainPage: Alter = {
  body: (body, url) => (url.endsWith('/billing-sessions') ? { ...(body as object), url: 'http://pay.example/' } : body),
};
const onePage: Alter = {
  body: (body, url) =>
    url.endsWith('/billing-sessions') ? { ...(body as object), url: 'https://pay.example/' } : body,
};
const uncounted: Alter = {
  body: (body, url) => (url.endsWith('/capacity') ? { ...(body as object), occupied_slots: 0 } : body),
};
const staffed: Alter = {
  body: (body) => {
    for (const creator of (body as Records).data ?? []) creator.is_staff = true;
    return body;
  },
};

const clamped: Alter = { url: (url) => url.replace(/limit=[^&]+/, 'limit=50') };
const emptyFirstPage: Alter = {
  body: (body, url) =>
    /(creators|slots)[?](?!.*after=)/.test(url)
      ? { data: [], next_cursor: '00000000-0000-4000-8000-000000000000' }
      : body,
};
const unnamedFence: Alter = {
  body: (body) => {
    delete (body as { error?: { fence?: number } }).error?.fence;
    return body;
  },
};
/** Every second call is one too many. */
function busy(): Alter {
  let calls = 0;
  return { isBusy: () => ++calls % 2 === 1 };
}
const acceptedInvitation: Alter = {
  body: (body) =>
    (body as { status?: string }).status === 'pending' ? { ...(body as object), status: 'accepted' } : body,
};

describe('what the contract leaves to the platform', () => {
  const freedoms: [freedom: string, alter: Alter, check: RegExp, result: string, reason?: RegExp][] = [
    ['limits that are clamped', clamped, /^listRoster may refuse a limit/, 'skipped', /accepts it/],
    ['429, which passes', busy(), /^an invitation that is pending/, 'pass'],
    ['a page without records that leads on', emptyFirstPage, /^listRoster walks/, 'pass'],
    ['a page of slots that leads on, too', emptyFirstPage, /^listSlots shows/, 'pass'],
    ['stale_fence without the fence', unnamedFence, /^a slot call with a lower fence/, 'pass'],
    [
      'an invitation that is accepted immediately',
      acceptedInvitation,
      /^an invitation that is pending/,
      'skipped',
      /already/,
    ],
  ];

  test.each(freedoms)('is no fault: %s', async (_freedom, alter, check, result, reason = /^$/) => {
    const other: BrokenPlatform = await startBrokenPlatform(sandbox, alter);
    const results = await resultsOf(
      other.url,
      AGENCY,
      checks.filter(({ name }) => check.test(name)),
    );
    await other.close();
    expect(results.map((one) => one.result)).toEqual([result]);
    expect(results[0]?.reason ?? '').toMatch(reason);
  });
});

describe('the conformance checks fail', () => {
  const slips: [slip: string, alter: Alter, caught: RegExp, reason: RegExp][] = [
    ['a leak without updated_at', dropFrom('/leaks', 'updated_at'), /^listLeaks walks/, /updated_at/],
    ['leaks in descending order', reversed('/leaks'), /^listLeaks walks/, /^order/],
    ['activity with the oldest first', reversed('/activity'), /^listActivity shows/, /^order/],
    ['a token that is not checked', authorized, /^getAgency refuses a missing token/, /instead of 401/],
    [
      'a new job for each repeat',
      newIdEachTime('/scan-jobs', 'job_id'),
      /^dispatchScan has one effect/,
      /different values of job_id/,
    ],
    [
      'a new invitation for each repeat',
      newIdEachTime('/invitations', 'id'),
      /^invite returns the first result/,
      /the second result/,
    ],
    ['limits that are ignored', unlimited, /^listRoster gives at most/, /at most 1 records/],
    ['updated_since that is ignored', withoutUpdatedSince, /^listLeaks with updated_since/, /^updated_since/],
    ['errors outside the envelope', bareErrors, /^getAgency does not find/, /required property 'error'/],
    ['fences that are ignored', withoutFences(), /^a slot call with a lower fence/, /with a lower fence/],
    ['a slot without its fence', dropFrom('/slots', 'fence'), /^listSlots shows/, /fence/],
    ['slots in descending order', reversed('/slots'), /^listSlots shows/, /^order/],
    ['a wrong fence in the refusal', lowFences, /^a slot call with a lower fence/, /stale_fence instead of 200/],
    ['a payment method with a full number', fullNumber, /^listPaymentMethods shows/, /no full number/],
    ['a billing page without encryption', plainPage, /^createBillingSession opens/, /https/],
    ['one billing page for all keys', onePage, /^createBillingSession opens/, /another key/],
    ['an occupied slot that is not counted', uncounted, /^occupySlot and releaseSlot/, /counts what listSlots shows/],
    ['the same for each reference', oneForAll(), /^an invitation that is pending/, /another reference/],
    ['staff on the roster', staffed, /^listRoster shows neither/, /no staff/],
  ];

  test.each(slips)('on %s', async (_slip, alter, caught, reason) => {
    const broken: BrokenPlatform = await startBrokenPlatform(sandbox, alter);
    const chosen = checks.filter(({ name }) => caught.test(name));
    expect(chosen.length).toBeGreaterThan(0);
    const results = await resultsOf(broken.url, AGENCY, chosen);
    await broken.close();
    expect(results).toContainEqual({ name: expect.anything(), result: 'fail', reason: expect.stringMatching(reason) });
  });
});

/** Each call has a higher one than the last, so that none is stale. */
function withoutFences(): Alter {
  let fence = 2 ** 52;
  return { fence: () => String(++fence) };
}

/** A lookup forgets what it is asked for. */
function oneForAll(): Alter {
  let last = '';
  return {
    url: (url) => {
      const [path, reference] = url.split('/invitations?reference=');
      if (reference === undefined || reference.endsWith('-unknown')) return url;
      last ||= reference;
      return `${path}/invitations?reference=${last}`;
    },
  };
}

function dropFrom(path: string, field: string): Alter {
  return {
    body: (body, url) => {
      if (url.includes(path)) for (const record of (body as Records).data ?? []) delete record[field];
      return body;
    },
  };
}

function reversed(path: string): Alter {
  return {
    body: (body, url) =>
      url.includes(path) ? { ...(body as Records), data: (body as Records).data?.reverse() } : body,
  };
}

function newIdEachTime(path: string, field: string): Alter {
  let made = 0;
  return {
    body: (body, url, method) => {
      made += 1;
      return method === 'POST' && url.endsWith(path) ? { ...(body as object), [field]: `made-${made}` } : body;
    },
  };
}
