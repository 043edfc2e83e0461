import { createHmac, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SigningKey, standardHeaders } from './signatures.js';

const SECRET = `whsec_${Buffer.alloc(32, 0xfb).toString('base64')}`;
const NEXT_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const EARLIER_FORM = `whsec_${randomBytes(32).toString('base64url')}`;
const SECONDS = 1_767_225_600;
const BODY = Buffer.from('{"id":"evt_01","naïve":"é"}');

const headersBy = (secrets: readonly string[], body: Uint8Array = BODY, id = 'evt_01') =>
  standardHeaders(
    secrets.map((secret) => new SigningKey(secret)),
    id,
    SECONDS,
    body,
  );

const byNode = (secret: string, id: string, body: Uint8Array) =>
  createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(Buffer.concat([Buffer.from(`${id}.${SECONDS}.`), body]))
    .digest('base64');

describe('D102: the headers of Standard Webhooks', () => {
  it('sign id, timestamp and bytes with the 32 bytes that the secret encodes', () => {
    const key = fc.uint8Array({ minLength: 32, maxLength: 32 });
    fc.assert(
      fc.property(key, fc.uint8Array({ maxLength: 300 }), fc.uuid(), (bytes, body, id) => {
        const secret = `whsec_${Buffer.from(bytes).toString('base64')}`;
        expect(headersBy([secret], body, id)).toEqual({
          'webhook-id': id,
          'webhook-timestamp': String(SECONDS),
          'webhook-signature': `v1,${byNode(secret, id, body)}`,
        });
      }),
    );
  });

  it('have a signature of each secret in force, the newest first', () => {
    expect(headersBy([NEXT_SECRET, SECRET])['webhook-signature']).toBe(
      `v1,${byNode(NEXT_SECRET, 'evt_01', BODY)} v1,${byNode(SECRET, 'evt_01', BODY)}`,
    );
  });

  it('leave a secret of the earlier form out during an overlap', () => {
    expect(headersBy([SECRET, EARLIER_FORM])['webhook-signature']).toBe(`v1,${byNode(SECRET, 'evt_01', BODY)}`);
  });

  it.each([
    ['of the earlier form', EARLIER_FORM],
    ['of 31 bytes', `whsec_${Buffer.alloc(31).toString('base64')}`],
    ['of 33 bytes', `whsec_${Buffer.alloc(33).toString('base64')}`],
    ['without the prefix', SECRET.slice('whsec_'.length)],
  ])('are missing with a secret %s', (_what, secret) => {
    expect(headersBy([secret])).toEqual({});
  });
});
