import { describe, expect, it } from '@jest/globals';
import { MINUTE } from '#kernel';
import {
  checkSignature,
  ownSignature,
  type ReceivedSignature,
  SigningKey,
  signatureHeader,
  standardHeaders,
  standardSignature,
} from './signatures.js';

const [current, older, other] = ['1', '2', '3'].map(
  (digit) => new SigningKey(`whsec_${Buffer.alloc(32, digit).toString('base64')}`),
) as [SigningKey, SigningKey, SigningKey];
const body = Buffer.from('{"id":"evt_1"}');
const SECONDS = 1_775_000_000;
const NOW = SECONDS * 1_000;

const check = (signature: ReceivedSignature | undefined, { hasSameBytes = true, now = NOW } = {}) =>
  signature && checkSignature({ signature, hasSameBytes }, body, { inForce: [current], replaced: [older] }, now);
const FORMS = {
  'X-SVC-Signature': (keys: readonly SigningKey[], bytes: Buffer) =>
    ownSignature(signatureHeader(keys, SECONDS, bytes)),
  'Standard Webhooks': (keys: readonly SigningKey[], bytes: Buffer) => {
    const headers = standardHeaders(keys, 'evt_1', SECONDS, bytes);
    const [id = '', timestamp = '', signature = ''] = Object.values(headers);
    return standardSignature({ id, timestamp, signature: `v1a,ignored ${signature}` });
  },
};

describe.each(Object.entries(FORMS))('of %s', (_, signedBy) => {
  it.each([
    ['valid', [current], {}],
    ['valid', [other, current], {}],
    ['valid', [current], { now: NOW + 5 * MINUTE }],
    ['clock', [current], { now: NOW + 5 * MINUTE + 1 }],
    ['clock', [current], { now: NOW - 5 * MINUTE - 1 }],
    ['bytes', [current], { hasSameBytes: false }],
    ['older_secret', [older], {}],
    ['unknown_secret', [other], {}],
  ] as const)('says %s', (verdict, keys, given) => {
    expect(check(signedBy(keys, body), given)).toMatchObject({ verdict });
  });

  it('does not know a signature of another body', () => {
    expect(check(signedBy([current], Buffer.from('another body')))).toMatchObject({ verdict: 'unknown_secret' });
  });

  it('says how old the signature is', () => {
    expect(check(signedBy([current], body), { now: NOW + 7 })).toEqual({ verdict: 'valid', age: 7 });
  });
});

it('recognizes what is no signature', () => {
  expect(ownSignature('v1=00')).toBeUndefined();
  const standard = { id: 'evt_1', timestamp: String(SECONDS), signature: 'v1,AA==' };
  expect(standardSignature(standard)).toBeDefined();
  expect(standardSignature({ ...standard, signature: 'v1a,AA==' })).toBeUndefined();
  expect(standardSignature({ ...standard, timestamp: '1.5' })).toBeUndefined();
});
