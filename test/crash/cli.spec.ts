import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { runTool } from '../support/tool.js';
import { ok } from './support/agency-client.js';
import { errorOf } from './support/error-of.js';
import { runToEnd } from './support/processes.js';
import { AGENCY, Stage } from './support/stage.js';

// Many processes are started and waited for; on a crowded machine each takes its time.
jest.setTimeout(90_000);

const OWNER = '00000000-0000-4000-8000-000000000001';
const DAY = 24 * 60 * 60 * 1000;

// Without one it works too: every other stage opens its account before a process runs.
describe('the tool on a running system', () => {
  let stage: Stage;
  let url: string;

  const json = async (...words: string[]): Promise<unknown> => {
    const { status, stdout, stderr } = await stage.tool([...words, '--json']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^[^\n]+\n$/);
    return JSON.parse(stdout);
  };
  const failure = async (...words: string[]) => errorOf(await stage.tool(words));
  const bind = (agencyId = AGENCY) => json('agencies', 'bind', '--agency', agencyId);

  beforeAll(async () => {
    stage = await Stage.open();
    await stage.agency({ owner_user_id: OWNER });
    url = await stage.start('standalone').ready();
  }, 30_000);

  afterEach(() => stage.heal());
  afterAll(() => stage.close());

  test('binds an agency to its owner, shows it, and counts epochs only with a new owner', async () => {
    const bound = {
      agency_id: AGENCY,
      workspace_id: expect.stringMatching(/^wsp_[0-9a-hjkmnp-tv-z]{26}$/),
      epoch: 1,
      owner_user_id: OWNER,
    };
    expect(await bind()).toEqual(bound);
    expect(await bind()).toEqual(bound);
    expect(await json('agencies', 'show', '--agency', AGENCY)).toEqual(bound);

    const other = '00000000-0000-4000-8000-000000000002';
    await stage.agency({ owner_user_id: other });
    expect(await bind()).toEqual({ ...bound, epoch: 2, owner_user_id: other });
    expect(await json('agencies', 'show', '--agency', AGENCY)).toMatchObject({ epoch: 2 });
  });

  test('releases the slots of users that the log does not know, and no others', async () => {
    await bind();
    const { user_ids } = await stage.platform.control<{ user_ids: string[] }>('POST', `/agencies/${AGENCY}/creators`, {
      count: 2,
      onboarding_complete: false,
      api_slot: true,
    });
    const release = () => json('creators', 'release-slots', '--agency', AGENCY);
    const released = user_ids.toSorted();
    expect(await release()).toEqual({ agency_id: AGENCY, released, failed: [] });
    expect(await release()).toEqual({ agency_id: AGENCY, released: [], failed: [] });
    expect(await failure('creators', 'release-slots', '--agency', 'agency_nobody', '--json')).toMatchObject({
      code: 'not_found',
    });
  });

  test('describes an agency that is not bound, not verified or unknown', async () => {
    const describe = (id: string) => json('agencies', 'describe', '--agency', id);
    await stage.agency({ kyc_status: 'pending', owner_user_id: OWNER, name: 'Lumen' }, 'agency_young');
    expect(await describe('agency_young')).toEqual({
      platform: 'known',
      agency: {
        id: 'agency_young',
        name: 'Lumen',
        onboarding_complete: true,
        kyc_status: 'pending',
        owner_user_id: OWNER,
      },
      binding: null,
    });
    expect(await describe('agency_nowhere')).toEqual({ platform: 'unknown', agency: null, binding: null });
    const bound = await bind();
    await stage.fault({ operation: 'getAgency', kind: 'status' });
    expect(await describe(AGENCY)).toEqual({ platform: 'unavailable', agency: null, binding: bound });
  });

  test('shows how an agency pays, and opens a page of the platform to change it', async () => {
    const billing = (...words: string[]) => json('agencies', 'billing', '--agency', AGENCY, ...words);
    expect(await billing()).toEqual({ offered: true, payment_methods: [] });
    const page = (await billing('--return-url', 'https://api.example/dashboard/billing')) as { url: string };
    expect(page).toMatchObject({ expires_at: expect.any(Number) });
    await fetch(`${page.url}/add`, { method: 'POST', body: new URLSearchParams({ choice: '0' }) });
    expect(await billing()).toMatchObject({
      offered: true,
      payment_methods: [{ kind: 'card', label: 'Visa •••• 4242', expires: '2029-04', is_default: true }],
    });
    await stage.agency({ billing_offered: false });
    expect(await billing()).toEqual({ offered: false, payment_methods: [] });
    await stage.agency({ billing_offered: true, payment_methods: [] });
  });

  test('issues keys with their presets and lifetimes, lists them without secrets, and revokes them', async () => {
    await bind();
    const issue = (...words: string[]) => json('keys', 'issue', '--agency', AGENCY, ...words) as Promise<IssuedKey>;
    const reading = ['workspaces:read', 'creators:read', 'scans:read', 'cases:read', 'usage:read', 'events:read'];
    const writing = ['creators:write', 'protection:write', 'scans:write', 'deindex:write'];

    const before = Date.now();
    const reader = await issue('--preset', 'read_only', '--name', 'Reader', '--lifetime', '30d');
    const writer = await issue('--preset', 'read_write');
    const lasting = await issue('--preset', 'read_only', '--lifetime', 'none');
    for (const [key, scopes, days] of [
      [reader, reading, 30],
      [writer, [...reading, ...writing], 90],
    ] as const) {
      expect(key).toEqual({
        id: expect.stringMatching(/^key_[0-9a-hjkmnp-tv-z]{26}$/),
        secret: expect.stringMatching(/^svc_live_[\w-]{43}$/),
        scopes: expect.arrayContaining([...scopes]),
        expires_at: expect.any(Number),
      });
      expect(key.scopes).toHaveLength(scopes.length);
      expect(key.expires_at).toBeGreaterThanOrEqual(before + days * DAY);
      expect(key.expires_at).toBeLessThanOrEqual(Date.now() + days * DAY);
    }
    expect(lasting.expires_at).toBeNull();

    const listed = async () => (await json('keys', 'list', '--agency', AGENCY)) as (IssuedKey & { id: string })[];
    const keys = await listed();
    expect(keys.map(({ id }) => id).toSorted()).toEqual([reader, writer, lasting].map(({ id }) => id).toSorted());
    expect(keys.find(({ id }) => id === reader.id)).toEqual({
      id: reader.id,
      name: 'Reader',
      scopes: reader.scopes,
      created_at: expect.any(Number),
      expires_at: reader.expires_at,
      revoked_at: null,
      last_used_at: null,
    });
    expect(keys.find(({ id }) => id === writer.id)).toMatchObject({ name: null });

    const revoked = await json('keys', 'revoke', reader.id);
    expect(revoked).toEqual({ id: reader.id, revoked_at: expect.any(Number) });
    expect(await json('keys', 'revoke', reader.id)).toEqual(revoked);
    expect((await listed()).find(({ id }) => id === reader.id)).toMatchObject(revoked as object);
  });

  test('without --json prints the same for people, one field a line', async () => {
    await bind();
    const shown = await stage.cli(['agencies', 'show', '--agency', AGENCY]);
    expect(shown).toMatchObject({ status: 0, stderr: '' });
    expect(shown.stdout).toMatch(
      /^agency_id +agency_crash\nworkspace_id +wsp_\w{26}\nepoch +\d+\nowner_user_id +\S+\n$/,
    );
    const issued = await stage.tool([
      'keys',
      'issue',
      '--agency',
      AGENCY,
      '--preset',
      'read_only',
      '--name',
      'For people',
    ]);
    expect(issued.stdout).toMatch(
      /^id +key_\w{26}\nsecret +svc_live_[\w-]{43}\nscopes +workspaces:read .*\nexpires_at +\d{4}-\d\d-\d\dT[\d:.]+Z\n$/,
    );
    const listed = await stage.tool(['keys', 'list', '--agency', AGENCY]);
    expect(listed.stdout).toMatch(/^name +For people$/m);
    expect(listed.stdout).toMatch(/^created_at +\d{4}-\d\d-\d\dT[\d:.]+Z\nexpires_at +20.*\nrevoked_at +–$/m);
    expect(listed.stdout).not.toContain('svc_live_');
    const help = await stage.cli(['--help']);
    expect(help).toMatchObject({ status: 0, stdout: expect.stringMatching(/agencies[\s\S]+keys/) });
  });

  test('the keys that it issued are those that the service takes, and their use is noted', async () => {
    const { secret, keyId } = await stage.openAccount();
    expect(ok(await stage.client(url, secret).me())).toMatchObject({ key_id: keyId });
    const keys = (await json('keys', 'list', '--agency', AGENCY)) as { id: string; last_used_at: number | null }[];
    expect(keys.find(({ id }) => id === keyId)?.last_used_at).toEqual(expect.any(Number));
  });
});

interface IssuedKey {
  readonly id: string;
  readonly secret: string;
  readonly scopes: readonly string[];
  readonly expires_at: number | null;
}

test('the tool says what is wrong with its arguments', async () => {
  const wrong = [
    [],
    ['keys'],
    ['agencies', '--json'],
    ['frobnicate'],
    ['keys', 'frobnicate', '--json'],
    ['agencies', 'bind'],
    ['agencies', 'show', '--agency'],
    ['agencies', 'show', '--agency', AGENCY, '--nope'],
    ['agencies', 'show', '--agency', AGENCY, 'more'],
    ['keys', 'issue', '--agency', AGENCY],
    ['keys', 'issue', '--agency', AGENCY, '--preset', 'all'],
    ['keys', 'issue', '--agency', AGENCY, '--preset', 'read_only', '--lifetime', '31d'],
    ['keys', 'revoke', '--json'],
    // D108: a number that is no time selects nothing, or everything.
    ['events', 'history', '--to', '1795000000'],
    ['events', 'state', 'seal-log', '--at', '0'],
    ['usage', 'explain', '--agency', AGENCY, '--month', '2026-11', '--as-of', '1795000000'],
    ['webhooks', 'recover', 'whe_00000000000000000000000000', '--since', '20261127'],
    ['webhooks', 'deliveries', '--agency', AGENCY, '--from', '1795000000'],
  ];
  for (const words of wrong) expect(errorOf(await runTool(words, {})).code).toBe('invalid_request');
  expect(errorOf(await runToEnd('cli', wrong[0] ?? [], {})).code).toBe('invalid_request');
});
