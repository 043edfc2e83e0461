import { describe, expect, it, test } from '@jest/globals';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { addressProblem } from './target-rules.js';

/**
 * IANA's IPv4 and IPv6 special-purpose address registries, multicast and what IPv6 keeps outside 2000::/3; operators
 * see the kind.
 */
const FORBIDDEN_BLOCKS: readonly (readonly [block: string, kind: string])[] = [
  ['0.0.0.0/8', 'unspecified'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'carrier grade nat'],
  ['127.0.0.0/8', 'loopback'],
  ['169.254.0.0/16', 'link local'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'reserved'],
  ['192.0.2.0/24', 'reserved'],
  ['192.31.196.0/24', 'as112'],
  ['192.52.193.0/24', 'amt'],
  ['192.88.99.0/24', 'reserved'],
  ['192.168.0.0/16', 'private'],
  ['192.175.48.0/24', 'as112'],
  ['198.18.0.0/15', 'reserved'],
  ['198.51.100.0/24', 'reserved'],
  ['203.0.113.0/24', 'reserved'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/5', 'reserved'],
  ['248.0.0.0/6', 'reserved'],
  ['255.255.255.255/32', 'broadcast'],
  ['::/128', 'unspecified'],
  ['::1/128', 'loopback'],
  ['::2/127', 'reserved'],
  ['::ffff:0:0/96', 'IPv4-mapped'],
  ['::ffff:0:0:0/96', 'IPv4-translated'],
  ['64:ff9b::/96', 'NAT64'],
  ['64:ff9b:1::/48', 'NAT64'],
  ['100::/64', 'discard'],
  ['100:0:0:1::/64', 'reserved'],
  ['200::/7', 'reserved'],
  ['2001::/32', 'teredo'],
  ['2001:1::/32', 'reserved'],
  ['2001:2::/48', 'benchmarking'],
  ['2001:3::/32', 'amt'],
  ['2001:4:112::/48', 'as112v6'],
  ['2001:10::/28', 'deprecated orchid'],
  ['2001:20::/28', 'orchid2'],
  ['2001:30::/28', 'drone remote id protocol entity tags'],
  ['2001:100::/24', 'reserved'],
  ['2001:db8::/32', 'reserved'],
  ['2002::/16', '6to4'],
  ['2620:4f:8000::/48', 'as112v6'],
  ['3fff::/20', 'reserved'],
  ['4000::/3', 'reserved'],
  ['5f00::/16', 'segment routing'],
  ['8000::/2', 'reserved'],
  ['c000::/3', 'reserved'],
  ['e000::/4', 'reserved'],
  ['f000::/5', 'reserved'],
  ['f800::/6', 'reserved'],
  ['fc00::/7', 'unique local'],
  ['fe80::/10', 'link local'],
  ['fec0::/10', 'deprecated site local'],
  ['ff00::/8', 'multicast'],
];

const bounds = (block: string): readonly string[] => {
  const [address, bits] = ipaddr.parseCIDR(block);
  const bytes = address.toByteArray();
  const masked = (fill: number) =>
    bytes.map((byte, index) => {
      const own = Math.min(8, Math.max(0, bits - index * 8));
      const mask = (0xff << (8 - own)) & 0xff;
      return (byte & mask) | (fill & ~mask & 0xff);
    });
  return [masked(0), masked(0xff)].map((octets) => ipaddr.fromByteArray(octets).toString());
};

describe('D59: nothing is sent to', () => {
  test.each(FORBIDDEN_BLOCKS)('%s, which is %s: neither its first address nor its last', (block, kind) => {
    const [first = '', last = ''] = bounds(block);
    expect(addressProblem(first)).toBe(kind);
    expect(addressProblem(last)).toBe(kind);
  });

  test.each([
    ['169.254.169.254', 'AWS, Google, Azure, DigitalOcean', 'link local'],
    ['169.254.170.2', 'AWS ECS', 'link local'],
    ['fd00:ec2::254', 'AWS over IPv6', 'unique local'],
    ['fd20:ce::254', 'Google over IPv6', 'unique local'],
    ['100.100.100.200', 'Alibaba', 'carrier grade nat'],
    ['192.0.0.192', 'Oracle', 'reserved'],
    ['168.63.129.16', "Azure's wire server", 'cloud service'],
  ])('%s, the metadata of %s', (address, _cloud, kind) => {
    expect(addressProblem(address)).toBe(kind);
  });

  test.each(['2a00:1450:4001:82a::5efe:10.0.0.1', '2a00:1450:4001:82a:200:5efe:a00:1', '2a00:1450::5efe:8.8.8.8'])(
    '%s, the far end of a tunnel to an IPv4 address',
    (address) => {
      expect(addressProblem(address)).toBe('ISATAP');
    },
  );

  test.each([
    '',
    '127.1',
    '0x7f.0.0.1',
    '010.0.0.1',
    '2130706433',
    '8.8.8.8.',
    '1.2.3',
    'fe80::1%eth0',
    '[::1]',
    'host',
  ])('%p, which is no address as a resolver writes it', (text) => {
    expect(addressProblem(text)).toBe('malformed');
  });

  it('any IPv4 address in an IPv6 address, in any form', () => {
    const octet = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(fc.tuple(octet, octet, octet, octet), (octets) => {
        const dotted = octets.join('.');
        for (const prefix of ['::', '::ffff:', '::ffff:0:', '64:ff9b::', '64:ff9b:1::', '2a00:1450::5efe:']) {
          expect(addressProblem(prefix + dotted)).toBeDefined();
        }
      }),
    );
  });
});

describe('D59: a webhook may be sent to', () => {
  test.each([
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2001:200::1',
    '2001:4860:4860::8888',
    '2003::1',
    '2606:4700:4700::1111',
    '2a00:1450:4001:82a::200e',
    '2A00:1450:4001:82A::200E',
  ])('%s', (address) => {
    expect(addressProblem(address)).toBeUndefined();
  });
});
