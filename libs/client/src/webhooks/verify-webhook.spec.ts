import { createHmac } from 'node:crypto';
import { Readable } from 'node:stream';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import {
  type HeadersLike,
  verifyWebhook,
  type WebhookBody,
  type WebhookProblem,
  WebhookVerificationError,
} from '../webhooks.js';

const secretOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`;
const [SECRET, OTHER] = [secretOf(0xfb), secretOf(7)];
const EARLIER = 'whsec_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG';
const EVENT = {
  id: 'evt_1',
  type: 'ping',
  workspace_id: 'wsp_1',
  created_at: 1,
  simulated: false,
  data: { name: 'é\u2028' },
};
const BODY = JSON.stringify(EVENT);

const bytes = () => new TextEncoder().encode(BODY);
const shared = () => {
  const buffer = new SharedArrayBuffer(bytes().length);
  new Uint8Array(buffer).set(bytes());
  return buffer;
};

const now = () => Math.floor(Date.now() / 1_000);
const svcHeader = (secrets: readonly string[], at = now(), body = BODY) =>
  secrets.reduce(
    (header, secret) => `${header},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`,
    `t=${at}`,
  );
const standard = (secrets: readonly string[], at = now(), body = BODY) => ({
  'webhook-id': 'evt_1',
  'webhook-timestamp': String(at),
  'webhook-signature': secrets.map((secret) => new Webhook(secret).sign('evt_1', new Date(at * 1_000), body)).join(' '),
});
const svc = (secrets: readonly string[], at = now(), body = BODY) => ({
  'X-SVC-Signature': svcHeader(secrets, at, body),
});
const both = (secrets: readonly string[], at = now()) => ({ ...svc(secrets, at), ...standard(secrets, at) });

const problemOf = async (verification: Promise<unknown>): Promise<WebhookProblem | undefined> =>
  verification.then(
    () => undefined,
    (error) => {
      if (!(error instanceof WebhookVerificationError)) throw error;
      return error.code;
    },
  );

describe('a genuine delivery gives its event', () => {
  const fromEarlier = { ...svc([SECRET, EARLIER]), ...standard([SECRET]) };
  it.each<[string, HeadersLike, string | readonly string[]]>([
    ['by both sets of headers', both([SECRET]), SECRET],
    ['by X-SVC-Signature alone', svc([SECRET]), SECRET],
    ['by Standard Webhooks alone', standard([SECRET]), SECRET],
    ['by a secret of the earlier form', svc([EARLIER]), EARLIER],
    ['by a secret without its prefix', standard([SECRET]), SECRET.slice('whsec_'.length)],
    ['by a secret as a file has it', both([SECRET]), `${SECRET}\n`],
    ['in a rotation, its secret being the first', both([SECRET, OTHER]), SECRET],
    ['in a rotation, its secret being the second', both([OTHER, SECRET]), SECRET],
    ['where the receiver has the new and the old secret', both([SECRET]), [OTHER, SECRET]],
    ['in a rotation from the earlier form, with the old secret', fromEarlier, EARLIER],
    ['in a rotation from the earlier form, with both', fromEarlier, [EARLIER, SECRET]],
    ['with members of schemes to come', { 'x-svc-signature': `${svcHeader([SECRET])},v2=00` }, SECRET],
    [
      'with a signature of a scheme to come',
      { ...standard([SECRET]), 'webhook-signature': `v1a,AA== ${standard([SECRET])['webhook-signature']}` },
      SECRET,
    ],
    ['with headers as lists', { 'x-svc-signature': [svcHeader([SECRET])] }, SECRET],
    ['with Headers', new Headers(both([SECRET])), SECRET],
  ])('%s', async (_what, headers, secrets) => {
    expect(await verifyWebhook(BODY, headers, secrets)).toEqual(EVENT);
  });

  it.each<[string, () => WebhookBody]>([
    ['text', () => BODY],
    ['bytes', () => new TextEncoder().encode(BODY)],
    ['a buffer, which is part of a larger one', () => Buffer.from(`x${BODY}x`).subarray(1, -1)],
    ['an ArrayBuffer', () => bytes().buffer],
    ['a SharedArrayBuffer', () => shared()],
    ['a DataView', () => new DataView(bytes().buffer)],
    ['bytes of another kind, which are part of a buffer', () => new Int8Array(Buffer.from(` ${BODY}`)).subarray(1)],
    ['units of two bytes', () => new Uint16Array(bytes().buffer)],
    ['an ArrayBuffer of another realm', () => runInNewContext('Uint8Array.from(bytes).buffer', { bytes: bytes() })],
    ['bytes of another realm', () => runInNewContext('Uint8Array.from(bytes)', { bytes: bytes() })],
    ['a request', () => new Request('https://agency.example', { method: 'POST', body: BODY })],
  ])('from %s', async (_what, body) => {
    expect(await verifyWebhook(body(), both([SECRET]), SECRET)).toEqual(EVENT);
  });

  it('from a request, with its headers', async () => {
    const request = new Request('https://agency.example', { method: 'POST', body: BODY, headers: both([SECRET]) });
    expect(await verifyWebhook(request, undefined, SECRET)).toEqual(EVENT);
  });

  it('within the tolerance that the caller gives', async () => {
    expect(await verifyWebhook(BODY, both([SECRET], now() - 900), SECRET, { tolerance: 1_000 })).toEqual(EVENT);
  });
});

describe('a delivery is refused', () => {
  const late = () => now() - 400;
  const svcOf = (change: (header: string) => string, at = now()) => ({
    'x-svc-signature': change(svcHeader([SECRET], at)),
  });
  it.each<[string, WebhookProblem, HeadersLike]>([
    ['signed by another secret', 'signature_mismatch', both([OTHER])],
    ['signed over a byte more', 'signature_mismatch', svc([SECRET], now(), `${BODY} `)],
    ['whose X-SVC-Signature alone is wrong', 'signature_mismatch', { ...svc([OTHER]), ...standard([SECRET]) }],
    ['whose webhook-signature alone is wrong', 'signature_mismatch', { ...svc([SECRET]), ...standard([OTHER]) }],
    ['under another id', 'signature_mismatch', { ...standard([SECRET]), 'webhook-id': 'evt_2' }],
    ['without signatures', 'signature_missing', { 'content-type': 'application/json' }],
    ['without signatures in its Headers', 'signature_missing', new Headers()],
    ['that is late', 'timestamp_outside_tolerance', both([SECRET], late())],
    ['that is early', 'timestamp_outside_tolerance', both([SECRET], now() + 400)],
    ['whose one time is late', 'timestamp_outside_tolerance', { ...svc([SECRET]), ...standard([SECRET], late()) }],
    ['with a new time', 'signature_mismatch', svcOf((header) => header.replace(/t=\d+/, `t=${now()}`), late())],
    ['with two times', 'signature_malformed', svcOf((header) => `t=1,${header}`)],
    ['without a time', 'signature_malformed', svcOf((header) => header.replace(/t=\d+,/, ''))],
    ['with a time that is no number', 'signature_malformed', svcOf((header) => header.replace(/t=\d+/, 't=now'))],
    ['with half a signature', 'signature_malformed', svcOf((header) => header.slice(0, -1))],
    ['without webhook-id', 'signature_malformed', { ...standard([SECRET]), 'webhook-id': undefined }],
    ['without webhook-timestamp', 'signature_malformed', { ...standard([SECRET]), 'webhook-timestamp': undefined }],
    [
      'whose webhook-timestamp is no number',
      'signature_malformed',
      { ...standard([SECRET]), 'webhook-timestamp': 'now' },
    ],
    ['with half a webhook-signature', 'signature_malformed', { ...standard([SECRET]), 'webhook-signature': 'v1,AAAA' }],
  ])('%s: %s', async (_what, problem, headers) => {
    expect(await problemOf(verifyWebhook(BODY, headers, SECRET))).toBe(problem);
  });

  it('without headers', async () => {
    expect(await problemOf(verifyWebhook(BODY, undefined, SECRET))).toBe('signature_missing');
  });

  it('by Standard Webhooks alone, where no secret can have signed them', async () => {
    expect(await problemOf(verifyWebhook(BODY, standard([SECRET]), EARLIER))).toBe('signature_mismatch');
  });

  it.each<[string | readonly string[]]>([[''], [[]], [[SECRET, ' ']], [undefined as never], [[undefined] as never]])(
    'where the secrets are %j, with which anybody could sign',
    async (secrets) => {
      expect(await problemOf(verifyWebhook(BODY, both([SECRET]), secrets))).toBe('secret_missing');
    },
  );

  it.each<[string, unknown]>([
    ['an object', EVENT],
    ['a list', []],
    ['nothing', undefined],
    ['null', null],
    ['a number', 1],
  ])('where the body is %s, and the message says what to do', async (_what, body) => {
    const verification = verifyWebhook(body as string, both([SECRET]), SECRET);
    expect(await problemOf(verification)).toBe('body_parsed');
    await expect(verification).rejects.toThrow(
      /^The(?:re is no body| body has been parsed already)\..*express\.raw.*rawBody: true.*request\.text\(\)/,
    );
  });

  it.each<[string, unknown, string]>([
    ['a promise', Promise.resolve(BODY), 'The body is a promise: await it.'],
    ['a stream of Node', Readable.from([BODY]), 'The body is a stream: read it.'],
    ['a stream of the web', new Response(BODY).body, 'The body is a stream: read it.'],
  ])('where the body is %s, and the message says so (D117)', async (_what, body, message) => {
    const verification = verifyWebhook(body as string, both([SECRET]), SECRET);
    expect(await problemOf(verification)).toBe('body_not_read');
    await expect(verification).rejects.toThrow(message);
  });

  it('where the request was read already', async () => {
    const request = new Request('https://agency.example', { method: 'POST', body: BODY, headers: both([SECRET]) });
    await request.text();
    expect(await problemOf(verifyWebhook(request, request.headers, SECRET))).toBe('body_parsed');
  });

  it('with an error that has no secret', async () => {
    const error: Error = await verifyWebhook(BODY, both([OTHER]), SECRET).then(
      () => new Error('it was accepted'),
      (refusal) => refusal,
    );
    expect(`${error.stack} ${JSON.stringify(error)}`).not.toContain(SECRET.slice(6));
    expect(String(error)).toMatch(/^WebhookVerificationError: None of the secrets signed this body/);
  });
});
