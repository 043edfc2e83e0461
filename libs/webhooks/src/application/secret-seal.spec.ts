import { createCipheriv, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { derivedId } from '#kernel';
import { SigningKey } from '../domain/signing-key.js';
import { newWebhookSecret, type SecretOwner, SecretSeal } from './secret-seal.js';

const [key, newKey] = [randomBytes(32), randomBytes(32)];
const owner: SecretOwner = { endpointId: derivedId('webhookEndpoint', 1), url: 'https://hooks.example/svc' };
const others: readonly SecretOwner[] = [
  { ...owner, endpointId: derivedId('webhookEndpoint', 2) },
  { ...owner, url: 'https://hooks.example/other' },
];
const sealWith = (current: Buffer, ...older: Buffer[]) => new SecretSeal({ current, all: [current, ...older] });

/** As secrets were recorded before they were bound to their URL. */
const version1 = (encryptingKey: Buffer, secret: string): string => {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', encryptingKey, iv).setAAD(Buffer.from(owner.endpointId));
  const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url');
};

it('D61: a secret is whsec_ and 43 characters of base64url, another each time', () => {
  expect(newWebhookSecret()).toMatch(/^whsec_[A-Za-z0-9_-]{43}$/);
  expect(newWebhookSecret()).not.toBe(newWebhookSecret());
});

it('a secret opens again with the same key, for the same endpoint and URL', () => {
  const secret = newWebhookSecret();
  const sealed = sealWith(key).seal(owner, secret);
  expect(sealed).not.toContain(secret);
  expect(Buffer.from(sealed.split('.').at(-1) ?? '', 'base64url').toString('latin1')).not.toContain(secret.slice(6));
  expect(sealWith(key).open(owner, sealed)).toBe(secret);
});

it('signs with an encrypted secret, for the same endpoint and URL only, from the cache too', () => {
  const seal = sealWith(key);
  const [secret, body] = [newWebhookSecret(), Buffer.from('{}')];
  const sealed = seal.seal(owner, secret);
  for (let time = 0; time < 2; time++) {
    expect(seal.signingKey(owner, sealed).sign('1', body)).toBe(new SigningKey(secret).sign('1', body));
    for (const other of others) expect(() => seal.signingKey(other, sealed)).toThrow();
  }
});

it('does not open for another endpoint or URL, with another key, or when anything was changed', () => {
  const seal = sealWith(key);
  const sealed = seal.seal(owner, newWebhookSecret());
  for (const other of others) expect(() => seal.open(other, sealed)).toThrow();
  expect(() => sealWith(newKey).open(owner, sealed)).toThrow(/another key/);
  const start = sealed.lastIndexOf('.') + 1;
  const bytes = Buffer.from(sealed.slice(start), 'base64url');
  for (let index = 0; index < bytes.length; index++) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(bytes.readUInt8(index) ^ 1, index);
    expect(() => seal.open(owner, sealed.slice(0, start) + changed.toString('base64url'))).toThrow();
  }
});

it('does not open as a version that binds less', () => {
  const seal = sealWith(key);
  const sealed = seal.seal(owner, newWebhookSecret());
  expect(() => seal.open(owner, sealed.slice(sealed.lastIndexOf('.') + 1))).toThrow();
});

describe('with an older key in the ring (D85)', () => {
  it('encrypts with the current key, and opens what either encrypted', () => {
    const secret = newWebhookSecret();
    const [before, after] = [sealWith(key), sealWith(newKey, key)];
    expect(after.open(owner, before.seal(owner, secret))).toBe(secret);
    expect(sealWith(newKey).open(owner, after.seal(owner, secret))).toBe(secret);
    expect(() => before.open(owner, after.seal(owner, secret))).toThrow();
  });

  it('follows a ring whose current key changes', () => {
    const ring = { current: key, all: [key, newKey] };
    const seal = new SecretSeal(ring);
    ring.current = newKey;
    expect(sealWith(newKey).open(owner, seal.seal(owner, 'whsec_1'))).toBe('whsec_1');
  });
});

it('opens what was recorded before secrets were bound to a URL, with any key of the ring', () => {
  const sealed = version1(key, 'whsec_1');
  expect(sealWith(key).open(owner, sealed)).toBe('whsec_1');
  expect(sealWith(newKey, key).open(owner, sealed)).toBe('whsec_1');
  expect(() => sealWith(newKey).open(owner, sealed)).toThrow();
  expect(() => sealWith(key).open({ ...owner, endpointId: derivedId('webhookEndpoint', 2) }, sealed)).toThrow();
});

it('D85: a secret of either version is encrypted anew with the current key, and only where it is not', () => {
  const secret = newWebhookSecret();
  const ring = sealWith(newKey, key);
  for (const sealed of [sealWith(key).seal(owner, secret), version1(key, secret), version1(newKey, secret)]) {
    const reencrypted = ring.reencrypted(owner, sealed) ?? '';
    expect(sealWith(newKey).open(owner, reencrypted)).toBe(secret);
    expect(ring.reencrypted(owner, reencrypted)).toBeUndefined();
  }
});
