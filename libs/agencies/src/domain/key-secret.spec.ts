import { describe, expect, it } from '@jest/globals';
import { hashSecret, isKeySecret, keyClaimOf, keyIdOf, newKeySecret, sameHash } from './key-secret.js';

const secret = `svc_live_${'Ab0-_'.repeat(8)}xyz`;

describe('the secret of a key', () => {
  it('D18: is svc_live_ and 43 base64url characters', () => {
    expect(newKeySecret()).toMatch(/^svc_live_[A-Za-z0-9_-]{43}$/);
    expect(isKeySecret(newKeySecret())).toBe(true);
  });

  it('D18: holds 256 bits that differ each time', () => {
    const secrets = Array.from({ length: 200 }, newKeySecret);
    expect(new Set(secrets).size).toBe(200);
    expect(secrets.every((text) => Buffer.from(text.slice(9), 'base64url').length === 32)).toBe(true);
  });

  it.each([
    ['a test credential', secret.replace('live', 'test')],
    ['the id of a key', keyIdOf(hashSecret(secret))],
    ['one character less', secret.slice(0, -1)],
    ['one character more', `${secret}A`],
    ['a character of plain base64', `${secret.slice(0, -1)}+`],
    ['another case of the prefix', secret.replace('svc', 'SVC')],
    ['a space before it', ` ${secret}`],
    ['a line end after it', `${secret}\n`],
    ['nothing', ''],
  ])('D17: %s is none', (_what, text) => {
    expect(isKeySecret(text)).toBe(false);
    expect(keyClaimOf(text)).toBeUndefined();
  });

  it('D18: is stored as SHA-256, in hexadecimal', () => {
    expect(hashSecret('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it('names its key, always the same one and never in the clear', () => {
    const keyId = keyIdOf(hashSecret(secret));
    expect(keyId).toBe(keyIdOf(hashSecret(secret)));
    expect(keyId).not.toBe(keyIdOf(hashSecret(`${secret}A`)));
    expect(keyId).toMatch(/^key_[0-9a-hjkmnp-tv-z]{26}$/);
  });

  it('claims the key of its hash', () => {
    expect(keyClaimOf(secret)).toEqual({ keyId: keyIdOf(hashSecret(secret)), secretHash: hashSecret(secret) });
  });

  it('D18: hashes of any length can be compared', () => {
    expect(sameHash(hashSecret('a'), hashSecret('a'))).toBe(true);
    expect(sameHash(hashSecret('a'), hashSecret('b'))).toBe(false);
    expect(sameHash(hashSecret('a'), '')).toBe(false);
  });
});
