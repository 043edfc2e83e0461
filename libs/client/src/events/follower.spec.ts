import { describe, expect, it } from '@jest/globals';
import { brokenOff, FakeRetryClock, KEY, pageOf, refused, ScriptedService } from '../scripted-service.fixtures.js';
import { Operations } from '../transport/operations.js';
import { Transport } from '../transport/transport.js';
import { Follower, type FollowOptions } from './follower.js';
import { isKnownEvent } from './known-event.js';

const event = (id: string, type = 'scan.completed') => ({ id, type, data: { scan_id: 'scn_1' } });

const following = (service: ScriptedService, options: FollowOptions = {}) => {
  const clock = new FakeRetryClock();
  const transport = new Transport({ baseUrl: 'https://protection.example', apiKey: KEY, fetch: service.fetch }, clock);
  return { clock, follower: new Follower(new Operations(transport), options) };
};

/** What it hands out until the event `last`, with the cursor at each. */
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

  it('waits through lost connections, 5xx and 429 of any length, and then continues', async () => {
    const faults = Array.from(
      { length: 40 },
      (_, n) => [brokenOff(), refused(500, 'internal_error'), refused(503, 'x')][n % 3] ?? 'silence',
    );
    const late = refused(429, 'rate_limited', { 'retry-after': '1800' });
    const service = new ScriptedService(pageOf([event('e1')], 'c1'), ...faults, late, pageOf([event('e2')], null));
    const { follower, clock } = following(service);
    expect(await readUntil(follower, 'e2')).toHaveLength(2);
    expect(new Set(queriesOf(service).slice(1))).toEqual(new Set(['&after=c1']));
    expect(clock.waits.at(-1)).toBe(1_808_000);
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
