import { describe, expect, it } from '@jest/globals';
import { assert, ipV4, ipV6, property } from 'fast-check';
import { TrustedProxies } from '#configuration';
import { clientAddressOf } from './client-address.js';

const addressOf = (peer: string | undefined, forwardedFor: string | undefined, trusted = '10.0.0.0/8,fd00::/8') => {
  const request = { socket: { remoteAddress: peer }, headers: { 'x-forwarded-for': forwardedFor } };
  return clientAddressOf(request, TrustedProxies.parse(trusted) ?? TrustedProxies.NONE);
};

describe('the address that a request counts for', () => {
  it.each([
    ['a peer that is no proxy, with any header', '8.8.8.8', '1.1.1.1', '8.8.8.8'],
    ['the address that the proxy saw', '10.0.0.1', '1.1.1.1', '1.1.1.1'],
    ['the right one of a chain of proxies', '10.0.0.1', '6.6.6.6, 1.1.1.1, 10.0.0.2', '1.1.1.1'],
    ['the leftmost where all are proxies', '10.0.0.1', '10.0.0.3,10.0.0.2', '10.0.0.3'],
    ['a proxy that names nobody', '10.0.0.1', undefined, '10.0.0.1'],
    ['a proxy that names what is no address', '10.0.0.1', '1.1.1.1, unknown', '10.0.0.1'],
    ['a proxy that names an address with a zone that is not known', '10.0.0.1', 'fe80::1%eth0.1', '10.0.0.1'],
    ['the address without its port', '10.0.0.1', '1.1.1.1:4711', '1.1.1.1'],
    ['an IPv6 address without its port', 'fd00::1', '[2001:db8::1]:4711', '2001:db8:0:0::/64'],
    ['an IPv4 address in IPv6 form as what it is', '::ffff:10.0.0.1', '::ffff:1.1.1.1', '1.1.1.1'],
    ['a peer that is gone', undefined, '1.1.1.1', 'unknown'],
  ])('D70: is %s', (_, peer, forwardedFor, expected) => {
    expect(addressOf(peer, forwardedFor)).toBe(expected);
  });

  it('D70: is the same for all addresses of one IPv6 /64, and of one IPv4 address only', () => {
    expect(addressOf('2001:db8:1:2:3::4', undefined)).toBe(addressOf('2001:db8:1:2:ffff::1', undefined));
    expect(addressOf('2001:db8:1:3::4', undefined)).not.toBe(addressOf('2001:db8:1:2::4', undefined));
  });

  it('D70: cannot be chosen by a client, with any header that it sends to a trusted proxy', () => {
    assert(
      property(ipV4(), ipV6(), (client, claimed) => {
        expect(addressOf('10.0.0.1', `${claimed}, ${client}`, '10.0.0.1')).toBe(
          addressOf('10.0.0.1', client, '10.0.0.1'),
        );
      }),
    );
  });
});
