import { createHmac } from 'node:crypto';
import { describe, expect, it, test } from '@jest/globals';
import fc from 'fast-check';
import { SigningKey } from './signing-key.js';

const byNode = (secret: string, timestamp: string, body: Uint8Array) =>
  createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');

describe('D61: a signature', () => {
  it('is the same as with the HMAC of Node, for any secret, timestamp and bytes', () => {
    const seconds = fc.nat().map(String);
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, maxLength: 200, size: 'max', unit: 'binary' }),
        seconds,
        fc.uint8Array({ maxLength: 300, size: 'max' }),
        (secret, timestamp, body) => {
          expect(new SigningKey(secret).sign(timestamp, body)).toBe(byNode(secret, timestamp, body));
        },
      ),
    );
  });

  test.each([1, 63, 64, 65, 128, 129])('is the same with a secret of %i bytes', (length) => {
    const secret = 'k'.repeat(length);
    expect(new SigningKey(secret).sign('0', Buffer.alloc(0))).toBe(byNode(secret, '0', Buffer.alloc(0)));
  });

  it('does not depend on what was signed before', () => {
    const key = new SigningKey('whsec_1');
    const [long, short] = [Buffer.alloc(100_000, 'x'), Buffer.from('{}')];
    for (const body of [long, short, long]) {
      expect(key.sign('1767225600', body)).toBe(byNode('whsec_1', '1767225600', body));
    }
  });

  it('is not made with an empty secret', () => {
    expect(() => new SigningKey('')).toThrow('empty');
  });
});
