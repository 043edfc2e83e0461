import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } from '@jest/globals';
import { newId } from '#kernel';
import { FakeClock, settled } from '#testing';
import { dnsResolver, type NameResolver } from './checked-addresses.js';
import { HOSTILE_URLS } from './hostile-targets.fixtures.js';
import { ANY_TARGETS, PUBLIC_TARGETS, type TargetRules } from './target-rules.js';
import { NameServer, type Records } from './testing/name-server.js';
import { Receiver } from './testing/receiver.js';
import { UndiciSender } from './undici-sender.js';

/** The public rules, except that these addresses count as public receivers; any scheme and port. */
const reachable = (...addresses: readonly string[]): TargetRules => ({
  urlProblem: ANY_TARGETS.urlProblem,
  addressProblem: (address) => (addresses.includes(address) ? undefined : PUBLIC_TARGETS.addressProblem(address)),
});

const FORBIDDEN = { status: null, error: 'target_forbidden' };
const UNRESOLVED = { status: null, error: 'dns_failed' };

let names: NameServer;
let resolve: NameResolver;
/** Listens where nothing may ever arrive. */
let inside: Receiver;
let sender: UndiciSender;

beforeAll(async () => {
  names = await NameServer.start();
  resolve = dnsResolver([names.address]);
});

afterAll(() => names.close());

beforeEach(async () => {
  names.questions.length = 0;
  inside = await Receiver.start();
  sender = senderWith(PUBLIC_TARGETS);
});

afterEach(async () => {
  await sender.close();
  await inside.close();
});

const senderWith = (rules: TargetRules) =>
  new UndiciSender({ rules, resolve, clock: new FakeClock(), timeout: 30_000 });

const problem = (url: string, rules = PUBLIC_TARGETS) => senderWith(rules).problem(url);

const endpointId = newId('webhookEndpoint');
const send = (url: string) => sender.send({ endpointId, url, body: Buffer.from('{}'), headers: {} });

describe('D59: nobody may register, and nothing is sent to', () => {
  test.each(HOSTILE_URLS)('%s: %j', async (_trick, url) => {
    expect(await problem(url)).toEqual(expect.any(String));
    expect(await send(url)).toEqual(FORBIDDEN);
    expect(names.questions).toEqual([]);
  });

  test('many different URLs', () => {
    expect(new Set(HOSTILE_URLS.map(([, url]) => url)).size).toBe(HOSTILE_URLS.length);
    expect(HOSTILE_URLS.length).toBeGreaterThanOrEqual(100);
  });
});

const PUBLIC = '93.184.215.14';
const PUBLIC_V6 = '2606:2800:21f:cb07:6820:80da:af6b:8b2c';

describe('D59: nobody may register, and nothing is sent to, a name that resolves to', () => {
  test.each([
    ['loopback', { addresses: ['127.0.0.1'] }],
    ['a private address', { addresses: ['10.0.0.1'] }],
    ['metadata', { addresses: ['169.254.169.254'] }],
    ['unique-local', { addresses: ['fd00::1'] }],
    ['IPv4-mapped loopback', { addresses: ['::ffff:127.0.0.1'] }],
    ['a public address and a private one', { addresses: [PUBLIC, '10.0.0.1'] }],
    ['a private address and a public one', { addresses: ['10.0.0.1', PUBLIC] }],
    ['a public address, and a private one of IPv6', { addresses: [PUBLIC, 'fd00::1'] }],
    ['a private address, and a public one of IPv6', { addresses: ['10.0.0.1', PUBLIC_V6] }],
    [
      'five public addresses and a private one',
      { addresses: [1, 2, 3, 4, 5].map((n) => `1.1.1.${n}`).concat('10.0.0.1') },
    ],
    ['another name, which leads inside', { cname: 'db.inside.agency.com' }],
    ['another name, which leads to one that leads inside', { cname: 'far.agency.com' }],
    ['another name, with a public and a private address', { cname: 'both.agency.com' }],
  ] satisfies [string, Records][])('%s', async (_where, records) => {
    names.set('db.inside.agency.com', { addresses: ['10.1.2.3'] });
    names.set('far.agency.com', { cname: 'db.inside.agency.com' });
    names.set('both.agency.com', { addresses: [PUBLIC, '10.1.2.3'] });
    names.set('hooks.agency.com', records);
    const url = 'https://hooks.agency.com/svc';
    expect(await problem(url)).toContain('public addresses only');
    expect(await send(url)).toEqual(FORBIDDEN);
    expect(names.questions).toContain('A hooks.agency.com');
  });

  test.each([
    ['nothing, as there is no such name', 'unknown.agency.com', {}],
    ['no address', 'empty.agency.com', {}],
    ['a failure of its server', 'broken.agency.com', { fault: 'servfail' }],
  ] satisfies [string, string, Records][])('%s', async (_what, name, records) => {
    if (name !== 'unknown.agency.com') names.set(name, records);
    const url = `https://${name}/`;
    expect(await problem(url)).toBe('must have a host name that resolves');
    expect(await send(url)).toEqual(UNRESOLVED);
  });
});

describe('D59: a name that has changed since it was checked', () => {
  const url = () => `http://hooks.agency.com:${inside.port}/`;
  const rules: TargetRules = { ...PUBLIC_TARGETS, urlProblem: () => undefined };

  it.each([
    ['inside', ['127.0.0.1']],
    ['inside as well as outside', [PUBLIC, '127.0.0.1']],
  ])('leads nowhere once it leads %s', async (_where, addresses) => {
    names.set('hooks.agency.com', { addresses: [PUBLIC] }, { addresses });
    expect(await problem(url(), rules)).toBeUndefined();
    sender = senderWith(rules);
    expect(await send(url())).toEqual(FORBIDDEN);
    expect(inside.connections).toBe(0);
  });

  it('is not asked for again between the check and connecting', async () => {
    // The checked address is this machine's 127.0.0.2, which counts as public here; the next answer is a private address.
    const outside = await Receiver.start('127.0.0.2');
    names.set('hooks.agency.com', { addresses: ['127.0.0.2'] }, { addresses: ['127.0.0.1'] });
    sender = senderWith(reachable('127.0.0.2'));
    const target = `http://hooks.agency.com:${outside.port}/`;
    expect(await send(target)).toEqual({ status: 204, error: null });
    expect(names.questions.filter((question) => question.startsWith('A '))).toHaveLength(1);
    expect(outside.requests[0]?.head).toContain(`host: hooks.agency.com:${outside.port}`);
    await settled();
    // The open connection goes to the address that was checked; the next connection is checked again.
    expect(await send(target)).toEqual({ status: 204, error: null });
    await outside.close();
    expect(await send(target)).toEqual(FORBIDDEN);
    expect(inside.connections).toBe(0);
  });
});

describe('A name with several addresses', () => {
  it('is reached at the next address if the first does not answer', async () => {
    const outside = await Receiver.start('127.0.0.3');
    names.set('hooks.agency.com', { addresses: ['127.0.0.2', '127.0.0.3'] });
    sender = senderWith(reachable('127.0.0.2', '127.0.0.3'));
    expect(await send(`http://hooks.agency.com:${outside.port}/`)).toEqual({ status: 204, error: null });
    await outside.close();
  });
});

describe('D59: anybody may register', () => {
  test.each([
    ['https://hooks.agency.com/svc', { addresses: [PUBLIC] }],
    ['https://hooks.agency.com:443/svc?token=1', { addresses: [PUBLIC, PUBLIC_V6] }],
    ['https://hooks.agency.com/', { addresses: [PUBLIC_V6] }],
    ['https://hooks.agency.com/', { addresses: [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `1.1.1.${n}`) }],
    ['HTTPS://HOOKS.AGENCY.COM/Svc', { addresses: [PUBLIC] }],
    ['https://hooks.agency.com/', { cname: 'lb.agency.com' }],
    ['https://8.8.8.8/', {}],
    ['https://[2606:4700:4700::1111]/', {}],
  ] satisfies [string, Records][])('%s, which resolves to %j', async (url, records) => {
    names.set('lb.agency.com', { addresses: [PUBLIC] });
    names.set('hooks.agency.com', records);
    expect(await problem(url)).toBeUndefined();
  });
});
