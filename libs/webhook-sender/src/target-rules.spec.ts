import { describe, expect, it, test } from '@jest/globals';
import { ANY_TARGETS, hostOf, MAX_TARGET_LENGTH, PUBLIC_TARGETS } from './target-rules.js';

const ofLength = (length: number) =>
  `https://hooks.agency.com/${'a'.repeat(length - 'https://hooks.agency.com/'.length)}`;

describe('D59: a target may be', () => {
  test.each([
    'https://hooks.agency.com',
    'https://hooks.agency.com/',
    'https://hooks.agency.com:443/svc',
    'https://hooks.agency.com/svc/events?token=a%20b&tenant=%C3%A9',
    'HTTPS://Hooks.Agency.COM/Svc',
    'https://agency.co.uk/webhooks/',
    'https://a.b.c.d.e.f.agency.io/~user/(hook);v=1,2',
    'https://xn--bcher-kva.example/haken',
    'https://hooks.agency.xn--p1ai/',
    'https://my_tenant.agency.com/hook',
    'https://1password.com/hook',
    'https://127.0.0.1.nip.io/hook',
    'https://localhost.agency.com/',
    'https://8.8.8.8/hook',
    'https://[2606:4700:4700::1111]/hook',
    'https://[2606:4700:4700:0:0:0:0:1111]:443/hook',
    'https://hooks.zapier.com/hooks/catch/123/abc@def/',
    ofLength(MAX_TARGET_LENGTH),
  ])('%s', (url) => {
    expect(PUBLIC_TARGETS.urlProblem(url)).toBeUndefined();
  });
});

describe('D59: an operator sees that a target', () => {
  test.each([
    [ofLength(MAX_TARGET_LENGTH + 1), 'must be at most 2048 characters'],
    ['https://bücher.example/', 'must be printable ASCII without spaces'],
    ['http://hooks.agency.com/', 'must be https'],
    ['https://hooks.agency.com:8443/', 'must be on port 443'],
    ['https://user:secret@hooks.agency.com/', 'must not contain credentials'],
    ['https://hooks.agency.com/#part', 'must not have a fragment'],
    ['/hook', 'must be an absolute URL with a host'],
    ['https://10.1.2.3/', 'must be on a public address; this one is private'],
    ['https://[::ffff:10.1.2.3]/', 'must be on a public address; this one is IPv4-mapped'],
    ['https://0x8080808/', 'must write an IP address in four decimal parts'],
    ['https://%68ooks.agency.com/', 'must not escape characters of its host'],
    ['https://localhost/', 'must have a public host name'],
  ])('%s %s', (url, problem) => {
    expect(PUBLIC_TARGETS.urlProblem(url)).toContain(problem);
  });
});

describe('D59: for development', () => {
  test.each(['http://localhost:4000/hook', 'http://127.0.0.1/', 'https://[::1]:8443/hook', 'http://receiver:80/x'])(
    '%s will do',
    (url) => {
      expect(ANY_TARGETS.urlProblem(url)).toBeUndefined();
    },
  );

  test.each([
    ['ftp://localhost/', 'must be http or https'],
    ['http://user@localhost/', 'must not contain credentials'],
    ['http://localhost/#x', 'must not have a fragment'],
    [ofLength(MAX_TARGET_LENGTH + 1), 'must be at most 2048 characters'],
    ['localhost:4000', 'must be an absolute URL with a host'],
  ])('%s still %s', (url, problem) => {
    expect(ANY_TARGETS.urlProblem(url)).toBe(problem);
  });

  it('any address will do', () => {
    expect(ANY_TARGETS.addressProblem('127.0.0.1')).toBeUndefined();
  });
});

test('a host is shown without the brackets of a URL', () => {
  expect(hostOf(new URL('https://[2606:4700::1]/'))).toBe('2606:4700::1');
  expect(hostOf(new URL('https://Hooks.Agency.com/'))).toBe('hooks.agency.com');
});
