import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Invitation } from '../contract/types.js';
import { type Sandbox, SandboxClient, startSandbox } from '../index.js';

const WEEK = 7 * 24 * 60 * 60 * 1000;
const PATH = '/agencies/a1/invitations';

let time = Date.UTC(2026, 0, 1);
let sandbox: Sandbox;
let client: SandboxClient;

beforeEach(async () => {
  sandbox = await startSandbox({ token: 't', now: () => time });
  client = new SandboxClient(sandbox);
  await client.control('PATCH', '/agencies/a1', { total_slots: 2 });
});
afterEach(() => sandbox.close());

function invite(reference: string, email = `${reference}@mail.example`) {
  const body = { reference, email, first_name: 'A', last_name: 'B', locale: 'fr', display_name: 'A B' };
  return client.post<Invitation>(PATH, body);
}

const codeOf = (answer: { status: number; body: unknown }) => [
  answer.status,
  (answer.body as { error: { code: string } }).error.code,
];

describe('an invitation', () => {
  test.each([{ status: 'cancelled' }, { status: 'pending' }, { reference: 'crt_2' }, { expires_at: 1 }])(
    'is not changed by a control with %j',
    async (change) => {
      await invite('crt_1');
      expect((await client.call('PATCH', '/_sandbox/invitations/crt_1', change)).status).toBe(400);
    },
  );

  test('is rejected for a malformed address and for the host rejected.example', async () => {
    expect(codeOf(await invite('crt_1', 'nobody'))).toEqual([422, 'invitation_rejected']);
    expect(codeOf(await invite('crt_1', 'a@rejected.example'))).toEqual([422, 'invitation_rejected']);
    expect((await invite('crt_1')).status).toBe(201);
  });

  test('says that no email was sent when the mail provider did not accept it', async () => {
    expect((await invite('crt_1', 'a@undeliverable.example')).body.email_sent).toBe(false);
    expect(await client.control('GET', '/effects')).toMatchObject({ mails: {} });
  });

  test('is found by its reference within its agency only', async () => {
    await client.control('PATCH', '/agencies/a2');
    const { body } = await invite('crt_1');
    expect((await client.call('GET', `${PATH}?reference=crt_1`)).body).toEqual({ data: [body] });
    expect((await client.call('GET', '/agencies/a2/invitations?reference=crt_1')).body).toEqual({ data: [] });
    expect((await client.call('GET', `/agencies/a2/invitations/${body.id}`)).status).toBe(404);
  });
});

describe('invitees', () => {
  test('are onboarded automatically when a time is set for it, unless the link expired before', async () => {
    await client.control('PATCH', '/settings', { onboard_after_ms: 100 });
    const { body } = await invite('crt_1');
    const late = (await invite('crt_2')).body;
    await client.control('PATCH', '/invitations/crt_2', { status: 'expired' });
    time += 100;
    const { user_id } = await client.control<Invitation>('PATCH', `/invitations/${body.id}`, {});
    expect((await client.call('GET', `/agencies/a1/creators/${user_id}`)).body).toMatchObject({
      invitation_reference: 'crt_1',
      onboarding_complete: true,
      authorization: { approved: true },
      entitlement: { active: true },
    });
    expect((await client.call('GET', `${PATH}/${late.id}`)).body).toMatchObject({ status: 'expired', user_id: null });
  });
});

describe('a resend', () => {
  test('gives an expired invitation seven new days, if its reservation still fits', async () => {
    const { body } = await invite('crt_1');
    await client.control('PATCH', '/invitations/crt_1', { status: 'expired' });
    await invite('crt_2');
    await invite('crt_3');
    const resend = (key: string) => client.call<Invitation>('POST', `${PATH}/${body.id}/resend`, undefined, key);
    expect(codeOf(await resend('k1'))).toEqual([409, 'capacity_reached']);
    await client.control('PATCH', '/agencies/a1', { total_slots: 3 });
    time += 1000;
    expect((await resend('k1')).body).toMatchObject({ status: 'pending', expires_at: time + WEEK });
    expect(await client.control('GET', '/effects')).toMatchObject({
      mails: { crt_1: 1, k1: 1 },
      mails_by_invitation: { crt_1: 2 },
    });
  });
});
