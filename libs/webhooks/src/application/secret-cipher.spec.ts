import { createCipheriv, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { derivedId, type WebhookEndpointId } from '#kernel';
import { SigningKey } from '../domain/signatures.js';
import { newWebhookSecret, SecretCipher, type SecretOwner } from './secret-cipher.js';

const [key, newKey] = [randomBytes(32), randomBytes(32)];
const owner: SecretOwner = { endpointId: derivedId('webhookEndpoint', 1), url: 'https://hooks.example/svc' };
const others: readonly SecretOwner[] = [
  { ...owner, endpointId: derivedId('webhookEndpoint', 2) },
  { ...owner, url: 'https://hooks.example/other' },
];
const cipherOf = (current: Buffer, ...older: Buffer[]) => new SecretCipher({ current, all: [current, ...older] });

/** As secrets were recorded before they were bound to their URL. */
const version1 = (encryptingKey: Buffer, secret: string): string => {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', encryptingKey, iv).setAAD(Buffer.from(owner.endpointId));
  const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url');
};

it('D61: a secret is whsec_ and 43 characters of base64url, another each time', () => {
  expect(newWebhookSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(newWebhookSecret()).not.toBe(newWebhookSecret());
});

it('a secret is decrypted with the same key, for the same endpoint and URL', () => {
  const secret = newWebhookSecret();
  const encrypted = cipherOf(key).encrypt(owner, secret);
  expect(encrypted).not.toContain(secret);
  expect(Buffer.from(encrypted.split('.').at(-1) ?? '', 'base64url').toString('latin1')).not.toContain(secret.slice(6));
  expect(cipherOf(key).decrypt(owner, encrypted)).toBe(secret);
});

it('a secret that an earlier build has encrypted is decrypted', () => {
  const ofEndpoint = { ...owner, endpointId: 'whe_01arz3ndektsv4rrffq69g5fav' as WebhookEndpointId };
  const encrypted = 'v2.b7ceed54db71.AAECAwQFBgcICQoLTx98mWDbT8iHi72xtEkdXG_pmhV-Vug';
  expect(cipherOf(Buffer.alloc(32, 7)).decrypt(ofEndpoint, encrypted)).toBe('whsec_1');
});

it('a signing key is given for the same endpoint and URL only, from the cache too', () => {
  const cipher = cipherOf(key);
  const [secret, body] = [newWebhookSecret(), Buffer.from('{}')];
  const encrypted = cipher.encrypt(owner, secret);
  for (let time = 0; time < 2; time++) {
    expect(cipher.signingKey(owner, encrypted).sign('1', body)).toBe(new SigningKey(secret).sign('1', body));
    for (const other of others) expect(() => cipher.signingKey(other, encrypted)).toThrow();
  }
});

it('a secret is not decrypted for another endpoint or URL, with another key, or if anything was changed', () => {
  const cipher = cipherOf(key);
  const encrypted = cipher.encrypt(owner, newWebhookSecret());
  for (const other of others) expect(() => cipher.decrypt(other, encrypted)).toThrow();
  expect(() => cipherOf(newKey).decrypt(owner, encrypted)).toThrow(/another key/);
  const start = encrypted.lastIndexOf('.') + 1;
  const bytes = Buffer.from(encrypted.slice(start), 'base64url');
  for (let index = 0; index < bytes.length; index++) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(bytes.readUInt8(index) ^ 1, index);
    expect(() => cipher.decrypt(owner, encrypted.slice(0, start) + changed.toString('base64url'))).toThrow();
  }
});

it('a secret is not decrypted as a version that binds less', () => {
  const cipher = cipherOf(key);
  const encrypted = cipher.encrypt(owner, newWebhookSecret());
  expect(() => cipher.decrypt(owner, encrypted.slice(encrypted.lastIndexOf('.') + 1))).toThrow();
});

describe('a cipher with an older key in its ring (D85)', () => {
  it('encrypts with the current key, and decrypts what either key encrypted', () => {
    const secret = newWebhookSecret();
    const [before, after] = [cipherOf(key), cipherOf(newKey, key)];
    expect(after.decrypt(owner, before.encrypt(owner, secret))).toBe(secret);
    expect(cipherOf(newKey).decrypt(owner, after.encrypt(owner, secret))).toBe(secret);
    expect(() => before.decrypt(owner, after.encrypt(owner, secret))).toThrow();
  });

  it('follows a ring whose current key changes', () => {
    const ring = { current: key, all: [key, newKey] };
    const cipher = new SecretCipher(ring);
    ring.current = newKey;
    expect(cipherOf(newKey).decrypt(owner, cipher.encrypt(owner, 'whsec_1'))).toBe('whsec_1');
  });
});

it('secrets from before they were bound to a URL are decrypted, with any of the keys', () => {
  const encrypted = version1(key, 'whsec_1');
  expect(cipherOf(key).decrypt(owner, encrypted)).toBe('whsec_1');
  expect(cipherOf(newKey, key).decrypt(owner, encrypted)).toBe('whsec_1');
  expect(() => cipherOf(newKey).decrypt(owner, encrypted)).toThrow();
  expect(() => cipherOf(key).decrypt({ ...owner, endpointId: derivedId('webhookEndpoint', 2) }, encrypted)).toThrow();
});

it('D85: a secret of either version is re-encrypted with the current key, if it is not encrypted with it', () => {
  const secret = newWebhookSecret();
  const ring = cipherOf(newKey, key);
  for (const encrypted of [cipherOf(key).encrypt(owner, secret), version1(key, secret), version1(newKey, secret)]) {
    const reencrypted = ring.reencrypted(owner, encrypted) ?? '';
    expect(cipherOf(newKey).decrypt(owner, reencrypted)).toBe(secret);
    expect(ring.reencrypted(owner, reencrypted)).toBeUndefined();
  }
});
