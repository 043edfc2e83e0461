import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { MINUTE } from '#kernel';
import type { BillingSession, PaymentMethod } from '../contract/types.js';
import { type Sandbox, SandboxClient, startSandbox } from '../index.js';

const RETURN = 'https://api.example/dashboard/billing?a=1&b="2"';

let sandbox: Sandbox;
let client: SandboxClient;
let now = Date.now();

beforeEach(async () => {
  now = Date.now();
  sandbox = await startSandbox({ token: 't', now: () => now });
  client = new SandboxClient(sandbox);
  await client.control('PATCH', '/agencies/a1', { name: 'Ivy & <Sons>' });
});
afterEach(() => sandbox.close());

const methods = async () =>
  (await client.call<{ data: PaymentMethod[] }>('GET', '/agencies/a1/payment-methods')).body.data;
const open = async (reference = 'page-1') =>
  (await client.post<BillingSession>('/agencies/a1/billing-sessions', { reference, return_url: RETURN })).body;
const press = (url: string, action: string, choice: string) =>
  fetch(`${url}/${action}`, { method: 'POST', body: new URLSearchParams({ choice }), redirect: 'manual' });

describe('the hosted page', () => {
  test('adds, prefers and removes payment methods, which the contract then shows', async () => {
    const { url } = await open();
    expect(await methods()).toEqual([]);
    expect((await press(url, 'add', '0')).status).toBe(303);
    await press(url, 'add', '2');
    const [card, debit] = await methods();
    expect(card).toMatchObject({ kind: 'card', label: 'Visa •••• 4242', is_default: true });
    expect(debit).toMatchObject({ kind: 'sepa_debit', expires: null, is_default: false });
    await press(url, 'default', debit?.id ?? '');
    expect((await methods()).map(({ is_default }) => is_default)).toEqual([false, true]);
    await press(url, 'remove', debit?.id ?? '');
    expect(await methods()).toEqual([card]);
  });

  test('needs no token, leads back, runs no script and leaves its address to nobody', async () => {
    const { url } = await open();
    await press(url, 'add', '0');
    const answer = await fetch(url);
    const html = await answer.text();
    expect(answer.status).toBe(200);
    expect(html).toContain('Ivy &#38; &#60;Sons&#62;');
    expect(html).toContain('href="https://api.example/dashboard/billing?a=1&#38;b=&#34;2&#34;"');
    expect(html).toContain('Visa •••• 4242, until 2029-04 (default)');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
  });

  test('ends after a quarter of an hour, and is nobody else’s', async () => {
    const { url } = await open();
    expect((await fetch(`${url}x`)).status).toBe(404);
    now += 15 * MINUTE;
    expect((await fetch(url)).status).toBe(404);
    expect((await press(url, 'add', '0')).status).toBe(404);
    expect(await methods()).toEqual([]);
  });
});

test('a return address that is no web page is refused', async () => {
  const body = { reference: 'k', return_url: 'javascript:alert(1)' };
  expect(await client.post('/agencies/a1/billing-sessions', body)).toMatchObject({ status: 422 });
});

test('a control takes both operations away', async () => {
  const { url } = await open();
  await client.control('PATCH', '/agencies/a1', { billing_offered: false });
  const notOffered = { status: 404, body: { error: { code: 'not_offered' } } };
  expect(await client.call('GET', '/agencies/a1/payment-methods')).toMatchObject(notOffered);
  const body = { reference: 'page-2', return_url: RETURN };
  expect(await client.post('/agencies/a1/billing-sessions', body)).toMatchObject(notOffered);
  expect((await fetch(url)).status).toBe(200);
});
