import { describe, expect, it, test } from '@jest/globals';
import fc from 'fast-check';
import { MINUTE } from '#kernel';
import { signatureHeader as headerOf, type SignedRequest, verifySignature } from './signature.js';
import { SigningKey } from './signing-key.js';

const SECRET = 'whsec_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG';
const NEXT_SECRET = 'whsec_GFEDCBAzyxwvutsrqponmlkjihgfedcba9876543210';
const SECONDS = 1_767_225_600;
const NOW = SECONDS * 1_000;
const BODY = Buffer.from('{"id":"evt_01","naïve":"é"}');
/** `printf '%s' "$SECONDS.$BODY" | openssl dgst -sha256 -hmac "$SECRET"` */
const BY_OPENSSL = '54c8aa16f2092a3c52b3a87006868fce25da083582c1f11315c2d16a5dc99cf8';
const NEXT_BY_OPENSSL = '2c73adf155f87f3e86bba3c803125c8091518f3017149309dee590728b6e8795';

const signatureHeader = (secrets: readonly string[], seconds: number, body: Uint8Array) =>
  headerOf(
    secrets.map((secret) => new SigningKey(secret)),
    seconds,
    body,
  );

const HEADER = `t=${SECONDS},v1=${BY_OPENSSL}`;

const verdictOn = (change: Partial<SignedRequest>) =>
  verifySignature({ header: HEADER, body: BODY, secrets: [SECRET], now: NOW, ...change });

const invalid = (reason: string) => ({ valid: false, reason });

describe('D61: the signature header', () => {
  it('is that of any other implementation of HMAC-SHA256 over timestamp, dot and bytes, keyed with the whole secret', () => {
    expect(signatureHeader([SECRET], SECONDS, BODY)).toBe(HEADER);
  });

  it('carries both signatures during an overlap, the new secret first', () => {
    expect(signatureHeader([NEXT_SECRET, SECRET], SECONDS, BODY)).toBe(
      `t=${SECONDS},v1=${NEXT_BY_OPENSSL},v1=${BY_OPENSSL}`,
    );
  });

  it('is not made without a secret, nor with an empty one', () => {
    expect(() => signatureHeader([], SECONDS, BODY)).toThrow('no secret');
    expect(() => signatureHeader([''], SECONDS, BODY)).toThrow('empty');
  });
});

describe('A receiver', () => {
  it('accepts what was signed with its secret', () => {
    expect(verdictOn({})).toEqual({ valid: true, signedAt: NOW });
  });

  it('accepts either signature of an overlap, with either secret', () => {
    const header = signatureHeader([NEXT_SECRET, SECRET], SECONDS, BODY);
    for (const secret of [SECRET, NEXT_SECRET]) expect(verdictOn({ header, secrets: [secret] }).valid).toBe(true);
  });

  it('may hold two secrets itself while it changes from one to the other', () => {
    expect(verdictOn({ secrets: [NEXT_SECRET, SECRET] }).valid).toBe(true);
  });

  test.each([-5 * MINUTE, 0, 5 * MINUTE])('accepts a timestamp that is %i ms away', (away) => {
    expect(verdictOn({ now: NOW + away }).valid).toBe(true);
  });

  test.each([-5 * MINUTE - 1, 5 * MINUTE + 1])('refuses a timestamp that lies %i ms away', (away) => {
    expect(verdictOn({ now: NOW + away })).toEqual(invalid('timestamp_outside_tolerance'));
  });

  it('may be stricter about time', () => {
    expect(verdictOn({ now: NOW + 2, tolerance: 1 })).toEqual(invalid('timestamp_outside_tolerance'));
  });

  it('gets the error for a late request only if it was signed, and otherwise the one for the signature', () => {
    const late = { now: NOW + 6 * MINUTE };
    expect(verdictOn({ ...late, body: Buffer.from('{}') })).toEqual(invalid('signature_mismatch'));
  });

  it('refuses the body with any one byte changed, dropped or added', () => {
    const byte = fc.integer({ min: 0, max: BODY.length - 1 });
    fc.assert(
      fc.property(byte, fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const changed = Buffer.from(BODY);
        changed.writeUInt8(changed.readUInt8(at) ^ flip, at);
        const dropped = Buffer.concat([BODY.subarray(0, at), BODY.subarray(at + 1)]);
        const added = Buffer.concat([BODY.subarray(0, at), Buffer.from([flip]), BODY.subarray(at)]);
        for (const body of [changed, dropped, added]) {
          expect(verdictOn({ body })).toEqual(invalid('signature_mismatch'));
        }
      }),
    );
  });

  it('refuses the body as another JSON writer writes it', () => {
    const body = Buffer.from(JSON.stringify(JSON.parse(BODY.toString()), undefined, 1));
    expect(verdictOn({ body })).toEqual(invalid('signature_mismatch'));
  });

  it('refuses another timestamp under the same signature', () => {
    expect(verdictOn({ header: HEADER.replace(String(SECONDS), String(SECONDS + 1)) })).toEqual(
      invalid('signature_mismatch'),
    );
  });

  it.each([
    ['another secret', NEXT_SECRET],
    ['its secret without the prefix', SECRET.slice('whsec_'.length)],
    ['its secret with a line break, as files have', `${SECRET}\n`],
  ])('refuses all with %s', (_what, secret) => {
    expect(verdictOn({ secrets: [secret] })).toEqual(invalid('signature_mismatch'));
  });

  it('refuses everything without a secret', () => {
    expect(verdictOn({ secrets: [] })).toEqual(invalid('signature_mismatch'));
  });

  it('is refused if its secret is empty, because anybody could sign with it', () => {
    expect(() => verdictOn({ secrets: [''] })).toThrow('empty');
  });

  it('gets an error for a missing header', () => {
    expect(verdictOn({ header: undefined })).toEqual(invalid('header_missing'));
  });

  test.each([
    '',
    't=1767225600',
    `v1=${BY_OPENSSL}`,
    `v1=${BY_OPENSSL},t=${SECONDS}`,
    `t=${SECONDS},v1=`,
    `t=${SECONDS},v1=${BY_OPENSSL.toUpperCase()}`,
    `t=${SECONDS},v1=${BY_OPENSSL.slice(1)}`,
    `t=${SECONDS},v1=${BY_OPENSSL}0`,
    `t=${SECONDS},v1=${'g'.repeat(64)}`,
    `t=${SECONDS}, v1=${BY_OPENSSL}`,
    ` t=${SECONDS},v1=${BY_OPENSSL}`,
    `t=${SECONDS},v1=${BY_OPENSSL},`,
    `t=${SECONDS},v1=${BY_OPENSSL}\n`,
    `t=${SECONDS},t=${SECONDS},v1=${BY_OPENSSL}`,
    `t=${SECONDS},v0=${BY_OPENSSL}`,
    `t=${SECONDS};v1=${BY_OPENSSL}`,
    `t=0${SECONDS},v1=${BY_OPENSSL}`,
    `t=-${SECONDS},v1=${BY_OPENSSL}`,
    `t=${SECONDS}.0,v1=${BY_OPENSSL}`,
    `t=1e9,v1=${BY_OPENSSL}`,
    `t=NaN,v1=${BY_OPENSSL}`,
    `${HEADER}, ${HEADER}`,
  ])('gets an error for %j, which is no signature header', (header) => {
    expect(verdictOn({ header })).toEqual(invalid('header_malformed'));
  });
});
