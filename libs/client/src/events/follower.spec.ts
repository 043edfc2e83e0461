import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../errors.js';
import type { Retry } from '../options.js';
import {
  answered,
  brokenOff,
  FakeRetryClock,
  KEY,
  pageOf,
  refused,
  ScriptedService,
} from '../scripted-service.fixtures.js';
import { Transport } from '../transport/transport.js';
import { Follower, type FollowOptions } from './follower.js';
import { isKnownEvent } from './known-event.js';

const event = (id: string, type = 'scan.completed') => ({ id, type, data: { scan_id: 'scn_1' } });

const following = (service: ScriptedService, options: FollowOptions = {}) => {
  const clock = new FakeRetryClock();
  const retries: Retry[] = [];
  const onRetry = (retry: Retry) => retries.push(retry);
  const all = { baseUrl: 'https://protection.example', apiKey: KEY, fetch: service.fetch, onRetry };
  return { clock, retries, follower: new Follower(new Transport(all, clock), options) };
};

/** Reads up to the event `last`; returns each event's id with the cursor at that event. */
const readUntil = async (follower: Follower, last: string): Promise<[string, string | undefined][]> => {
  const seen: [string, string | undefined][] = [];
  for await (const { id } of follower) {
    seen.push([id, follower.cursor]);
    if (id === last) break;
  }
  return seen;
};

const queriesOf = ({ sent }: ScriptedService) => sent.map(({ path }) => path.replace('/v1/events?limit=100', ''));

describe('a follower', () => {
  it('hands out each event with the cursor that continues after it, and polls at the end', async () => {
    const service = new ScriptedService(
      pageOf([event('e1'), event('e2')], 'c2'),
      pageOf([], 'c3'),
      pageOf([event('e4')], null),
      pageOf([], null),
      pageOf([event('e5')], null),
    );
    const { follower, clock } = following(service, { pollInterval: 700 });
    expect(await readUntil(follower, 'e5')).toEqual(['e1', 'e2', 'e4', 'e5'].map((id) => [id, id]));
    expect(queriesOf(service)).toEqual(['', '&after=c2', '&after=c3', '&after=e4', '&after=e4']);
    expect(clock.waits).toEqual([700, 700]);
  });

  it('continues after a cursor, and after the event at which it was left', async () => {
    const service = new ScriptedService(pageOf([event('e1'), event('e2')], null), pageOf([event('e2')], null));
    const { follower } = following(service, { after: 'e0' });
    expect(follower.cursor).toBe('e0');
    await readUntil(follower, 'e1');
    expect(await readUntil(follower, 'e2')).toEqual([['e2', 'e2']]);
    expect(queriesOf(service)).toEqual(['&after=e0', '&after=e1']);
  });

  it('waits through lost connections, 503 and 429 of any length, and then continues', async () => {
    const faults = Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? brokenOff() : refused(503, 'x')));
    const late = refused(429, 'rate_limited', { 'retry-after': '1800' });
    const service = new ScriptedService(pageOf([event('e1')], 'c1'), ...faults, late, pageOf([event('e2')], null));
    const { follower, clock } = following(service);
    expect(await readUntil(follower, 'e2')).toHaveLength(2);
    expect(new Set(queriesOf(service).slice(1))).toEqual(new Set(['&after=c1']));
    expect(clock.waits.at(-1)).toBe(1_808_000);
  });

  it.each<[string, () => Response]>([
    ['a 404 of the default backend', () => new Response('default backend - 404', { status: 404 })],
    ['a page instead of the service', () => new Response('<html>', { headers: { 'content-type': 'text/html' } })],
    ['JSON instead of the service', () => Response.json({ data: [], next_cursor: null })],
    ['a redirect to a page', () => new Response(null, { status: 302, headers: { location: 'https://x.example' } })],
    ['a refusal of the edge', () => Response.json({ error: { code: 'unauthorized' } }, { status: 401 })],
    ['a status of the edge', () => new Response('Web server is down', { status: 521 })],
  ])('waits through a deployment with %s, and reports each (D117)', async (_what, answer) => {
    const service = new ScriptedService(...Array.from({ length: 30 }, answer), pageOf([event('e1')], null));
    const { follower, retries, clock } = following(service);
    expect(await readUntil(follower, 'e1')).toHaveLength(1);
    expect(retries.map(({ attempt }) => attempt)).toEqual(Array.from({ length: 30 }, (_, n) => n + 1));
    expect(retries[0]?.error).toMatchObject({ code: 'unexpected_response' });
    expect(clock.now()).toBeGreaterThan(120_000);
  });

  it.each<[string, Response]>([
    ['an internal error of the service', refused(500, 'internal_error')],
    ['an object that is no page', answered({ ok: true })],
    ['an empty object', answered({})],
    ['a page without its cursor', answered({ data: [] })],
    ['a page without its items', answered({ next_cursor: null })],
  ])('ends with an error of the client at %s (D117)', async (_what, response) => {
    const { follower } = following(new ScriptedService(response));
    await expect(readUntil(follower, '')).rejects.toBeInstanceOf(ApiError);
  });

  it('has no cursor before its first event', () => {
    const { events } = new ScriptedService().client();
    expect([events.follow().cursor, events.follow({ after: null }).cursor]).toEqual([undefined, undefined]);
    expect(() => events.follow({ pollInterval: Number.NaN })).toThrow('pollInterval');
  });

  it('ends with the error that its caller has to correct', async () => {
    const { follower } = following(new ScriptedService(refused(401, 'unauthorized')));
    await expect(readUntil(follower, '')).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('ends without an error when its signal aborts: before, within a page, and in a wait', async () => {
    const early = following(new ScriptedService(pageOf([event('e1')], null)), { signal: AbortSignal.abort() });
    expect(await readUntil(early.follower, '')).toEqual([]);

    const controller = new AbortController();
    const within = following(new ScriptedService(pageOf([event('e1'), event('e2')], null)), {
      signal: controller.signal,
    });
    for await (const { id } of within.follower) {
      expect(id).toBe('e1');
      controller.abort();
    }
    expect(within.follower.cursor).toBe('e1');

    const waiting = new AbortController();
    const client = new ScriptedService(pageOf([], null)).client();
    const iteration = client.events.follow({ signal: waiting.signal })[Symbol.asyncIterator]().next();
    setTimeout(() => waiting.abort(), 10);
    expect(await iteration).toEqual({ done: true, value: undefined });
  });

  it('gives way to an error of the loop that reads it', async () => {
    const { follower } = following(new ScriptedService(pageOf([event('e1')], null)));
    const reading = async () => {
      for await (const { id } of follower) throw new Error(`cannot store ${id}`);
    };
    await expect(reading()).rejects.toThrow('cannot store e1');
  });
});

describe('an event', () => {
  it('is known by its type', () => {
    const envelope = { id: 'e', workspace_id: 'w', created_at: 1, simulated: false, data: {} };
    const known = (type: string) => isKnownEvent({ ...envelope, type });
    expect(['scan.failed', 'case.created', 'ping', 'toString', ''].map(known)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
