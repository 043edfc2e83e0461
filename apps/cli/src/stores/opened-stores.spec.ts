import { expect, it } from '@jest/globals';
import { readConfig } from '#configuration';
import { ownPublicKey, publicKeyFor } from './opened-stores.js';

const [OLD, NEW] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64')) as [string, string];
const publicKeyOf = (masterKey: string) => ownPublicKey({ MASTER_KEY: masterKey }).text;

it("D85: the installation's own log is verified with the key of each of its master keys", () => {
  const { key, trusted } = publicKeyFor(
    readConfig({ MASTER_KEY: NEW, MASTER_KEY_PREVIOUS: OLD }),
    undefined,
    undefined,
  );
  expect([key.text, trusted.map(({ text }) => text)]).toEqual([publicKeyOf(NEW), [publicKeyOf(OLD)]]);
});

it('a verifier trusts the key alone that it is given, and requires one with --log', () => {
  const config = readConfig({ MASTER_KEY: NEW, MASTER_KEY_PREVIOUS: OLD });
  const { key, trusted } = publicKeyFor(config, publicKeyOf(OLD), undefined);
  expect([key.text, trusted]).toEqual([publicKeyOf(OLD), []]);
  expect(() => publicKeyFor(config, undefined, 'events.db')).toThrow('invalid_request');
});
