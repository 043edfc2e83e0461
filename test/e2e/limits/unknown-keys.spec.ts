import { beforeEach, expect, test } from '@jest/globals';
import { newKeySecret } from '#agencies';
import { SECOND } from '#kernel';
import { ApiClient } from '../support/api-client.js';
import { startService } from '../support/start-service.js';

// All requests of these tests come from one address; 127.0.0.1 is the proxy that says which one.
const service = await startService({ env: { TRUST_PROXY: '127.0.0.0/8' } });

/** Reads of streams of keys. */
let reads = 0;
const { log } = service.services;
const readStream = log.readStream.bind(log);
log.readStream = (stream, options) => {
  if (stream.startsWith('apiKey-')) reads++;
  return readStream(stream, options);
};

const from = (address: string) => ({ 'x-forwarded-for': `6.6.6.6, ${address}` });
const unknown = (address: string, path = '/v1/me') =>
  new ApiClient(() => service.url, newKeySecret()).get(path, from(address));
const flood = async (address: string, count = 100, path?: string) => {
  const answers = await Promise.all(Array.from({ length: count }, () => unknown(address, path)));
  return answers.map(({ outcome }) => outcome);
};
const tally = (outcomes: readonly string[]) =>
  Object.fromEntries([...new Set(outcomes)].map((each) => [each, outcomes.filter((one) => one === each).length]));

beforeEach(() => {
  service.clock.advance(SECOND);
  reads = 0;
});

test('unknown keys are looked up at most 10 times a second from one address, and then 429 (D70)', async () => {
  expect(tally(await flood('1.1.1.1'))).toEqual({ '401 unauthorized': 10, '429 rate_limited': 90 });
  expect(reads).toBe(10);
  expect((await unknown('1.1.1.1')).headers['retry-after']).toBe('1');
  expect((await unknown('2.2.2.2')).outcome).toBe('401 unauthorized');
  service.clock.advance(SECOND);
  expect((await unknown('1.1.1.1')).outcome).toBe('401 unauthorized');
});

test('the limit on unknown keys also applies to unknown routes (D70)', async () => {
  expect(tally(await flood('1.1.1.1', 100, '/v1/nothing'))).toEqual({ '404 not_found': 10, '429 rate_limited': 90 });
  expect(reads).toBe(10);
});
