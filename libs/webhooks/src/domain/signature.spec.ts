import { createHmac } from 'node:crypto';
import { describe, expect, it, test } from '@jest/globals';
import fc from 'fast-check';
import { signatureHeader as headerOf, ownSignature, SigningKey } from './signatures.js';

const SECRET = 'whsec_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG';
const NEXT_SECRET = 'whsec_GFEDCBAzyxwvutsrqponmlkjihgfedcba9876543210';
const SECONDS = 1_767_225_600;
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

const isSigned = ({ header = HEADER, body = BODY, secret = SECRET }) =>
  ownSignature(header)?.isOf(new SigningKey(secret), body);

const byNode = (secret: string, timestamp: string, body: Uint8Array) =>
  createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');

it('D61: a signature is the same as with the HMAC of Node, for any secret, timestamp and bytes', () => {
  const secrets = fc.string({ minLength: 1, maxLength: 200, size: 'max', unit: 'binary' });
  const bodies = fc.uint8Array({ maxLength: 300, size: 'max' });
  fc.assert(
    fc.property(secrets, fc.nat().map(String), bodies, (secret, timestamp, body) => {
      const key = new SigningKey(secret);
      // The second one does not depend on what was signed before.
      for (let time = 0; time < 2; time++) expect(key.sign(timestamp, body)).toBe(byNode(secret, timestamp, body));
    }),
  );
});

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

describe('D61: a received signature', () => {
  it('is that of the secret that has signed', () => {
    expect(isSigned({})).toBe(true);
  });

  it('is that of either secret in an overlap', () => {
    const header = signatureHeader([NEXT_SECRET, SECRET], SECONDS, BODY);
    for (const secret of [SECRET, NEXT_SECRET]) expect(isSigned({ header, secret })).toBe(true);
  });

  it('is not that of the body with any one byte changed, dropped or added', () => {
    const byte = fc.integer({ min: 0, max: BODY.length - 1 });
    fc.assert(
      fc.property(byte, fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const changed = Buffer.from(BODY);
        changed.writeUInt8(changed.readUInt8(at) ^ flip, at);
        const dropped = Buffer.concat([BODY.subarray(0, at), BODY.subarray(at + 1)]);
        const added = Buffer.concat([BODY.subarray(0, at), Buffer.from([flip]), BODY.subarray(at)]);
        for (const body of [changed, dropped, added]) expect(isSigned({ body })).toBe(false);
      }),
    );
  });

  it('is not that of the body as another JSON writer writes it', () => {
    const body = Buffer.from(JSON.stringify(JSON.parse(BODY.toString()), undefined, 1));
    expect(isSigned({ body })).toBe(false);
  });

  it('is not that of another timestamp', () => {
    expect(isSigned({ header: HEADER.replace(String(SECONDS), String(SECONDS + 1)) })).toBe(false);
  });

  it.each([
    ['another secret', NEXT_SECRET],
    ['the secret without the prefix', SECRET.slice('whsec_'.length)],
    ['the secret with a line break, as files have', `${SECRET}\n`],
  ])('is not that of %s', (_what, secret) => {
    expect(isSigned({ secret })).toBe(false);
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
  ])('finds none in %j, which is no signature header', (header) => {
    expect(ownSignature(header)).toBeUndefined();
  });
});
