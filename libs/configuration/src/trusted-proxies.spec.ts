import { describe, expect, it } from '@jest/globals';
import { addressIn, TrustedProxies } from './trusted-proxies.js';

const trusts = (list: string, address: string): boolean => {
  const [proxies, parsed] = [TrustedProxies.parse(list), addressIn(address)];
  if (proxies === undefined || parsed === undefined) throw new Error(`${list} or ${address} cannot be read`);
  return proxies.includes(parsed);
};

describe('the proxies that are trusted', () => {
  it.each([
    ['10.0.0.0/8', '10.255.0.1', true],
    ['10.0.0.0/8', '11.0.0.1', false],
    ['10.0.0.0/8', '::ffff:10.0.0.1', true],
    ['::ffff:10.0.0.0/104', '10.1.1.1', true],
    ['127.0.0.1, ::1', '::1', true],
    ['127.0.0.1, ::1', '127.0.0.2', false],
    ['fd00::/8', 'fd12::1', true],
    ['fd00::/8', '253.0.0.1', false],
    ['0.0.0.0/0', '8.8.8.8', true],
    ['0.0.0.0/0', '2001:db8::1', false],
  ])('D70: of %s: %s is one: %s', (list, address, expected) => {
    expect(trusts(list, address)).toBe(expected);
  });

  it.each([
    '',
    ' ',
    ',',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10.0.0',
    '1',
    '::1/129',
    'localhost',
    '10.0.0.1:80',
    'fe80::1%eth0.1',
  ])('D70: cannot be %p', (list) => {
    expect(TrustedProxies.parse(list)).toBeUndefined();
  });

  it('D70: are none by default', () => {
    expect(TrustedProxies.NONE.includes(addressIn('127.0.0.1') as never)).toBe(false);
  });
});
