import { expect, it } from '@jest/globals';
import { MINUTE } from '#kernel';
import { signatureHeader } from './signature.js';
import { checkSignature } from './signature-check.js';
import { SigningKey } from './signing-key.js';

const [current, older, other] = ['whsec_1', 'whsec_2', 'whsec_3'].map((secret) => new SigningKey(secret)) as [
  SigningKey,
  SigningKey,
  SigningKey,
];
const body = Buffer.from('{"id":"evt_1"}');
const SECONDS = 1_775_000_000;
const NOW = SECONDS * 1_000;

const check = (signature: string, { hasSameBytes = true, now = NOW } = {}) =>
  checkSignature({ signature, hasSameBytes }, body, { inForce: [current], replaced: [older] }, now);
const signedBy = (key: SigningKey, seconds = SECONDS) => signatureHeader([key], seconds, body);

it.each([
  ['valid', signedBy(current), {}],
  ['valid', signatureHeader([other, current], SECONDS, body), {}],
  ['valid', signedBy(current), { now: NOW + 5 * MINUTE }],
  ['clock', signedBy(current), { now: NOW + 5 * MINUTE + 1 }],
  ['clock', signedBy(current), { now: NOW - 5 * MINUTE - 1 }],
  ['bytes', signedBy(current), { hasSameBytes: false }],
  ['older_secret', signedBy(older), {}],
  ['unknown_secret', signedBy(other), {}],
  ['unknown_secret', signatureHeader([current], SECONDS, Buffer.from('another body')), {}],
] as const)('says %s', (verdict, signature, given) => {
  expect(check(signature, given)).toMatchObject({ verdict });
});

it('says how old the signature is', () => {
  expect(check(signedBy(current), { now: NOW + 7 })).toEqual({ verdict: 'valid', age: 7 });
});

it('recognizes what is no signature', () => {
  expect(check('v1=00')).toBeUndefined();
});
