import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { derivedId } from '#kernel';
import { newWebhookSecret, SecretSeal } from './secret-seal.js';
import { SigningKey } from './signing-key.js';

const key = randomBytes(32);
const [one, two] = [derivedId('webhookEndpoint', 1), derivedId('webhookEndpoint', 2)];

it('D61: a secret is whsec_ and 43 characters of base64url, another each time', () => {
  expect(newWebhookSecret()).toMatch(/^whsec_[A-Za-z0-9_-]{43}$/);
  expect(newWebhookSecret()).not.toBe(newWebhookSecret());
});

it('what was sealed is opened again under the same key, for the same endpoint', () => {
  const secret = newWebhookSecret();
  const sealed = new SecretSeal(key).seal(one, secret);
  expect(sealed).not.toContain(secret);
  expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain(secret.slice(6));
  expect(new SecretSeal(key).open(one, sealed)).toBe(secret);
});

it('signs with what was sealed, for the same endpoint only', () => {
  const seal = new SecretSeal(key);
  const [secret, body] = [newWebhookSecret(), Buffer.from('{}')];
  const sealed = seal.seal(one, secret);
  for (let time = 0; time < 2; time++) {
    expect(seal.signingKey(one, sealed).sign('1', body)).toBe(new SigningKey(secret).sign('1', body));
    expect(() => seal.signingKey(two, sealed)).toThrow();
  }
});

it('opens for no other endpoint, under no other key, and nothing that was changed', () => {
  const seal = new SecretSeal(key);
  const sealed = seal.seal(one, newWebhookSecret());
  seal.open(one, sealed);
  expect(() => seal.open(two, sealed)).toThrow();
  expect(() => new SecretSeal(randomBytes(32)).open(one, sealed)).toThrow();
  const bytes = Buffer.from(sealed, 'base64url');
  for (let index = 0; index < bytes.length; index++) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(bytes.readUInt8(index) ^ 1, index);
    expect(() => seal.open(one, changed.toString('base64url'))).toThrow();
  }
});
