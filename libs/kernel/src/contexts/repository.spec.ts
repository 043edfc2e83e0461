import { beforeEach, expect, it } from '@jest/globals';
import { FakeClock, InMemoryEventLog } from '#testing';
import { CommandRunner } from '../deciding/command-runner.js';
import { type Added, added, contextOf, type Tally, tallyDecider } from '../deciding/tally.fixtures.js';
import { InterceptedLog } from '../stores/intercepted-log.fixtures.js';
import { Repository } from './repository.js';

class Tallies extends Repository<Tally, Added, string> {}

let log: InterceptedLog;
let tallies: Tallies;
let elsewhere: Tallies;

beforeEach(() => {
  const stored = new InMemoryEventLog();
  const clock = new FakeClock(1_000);
  log = new InterceptedLog(stored);
  tallies = new Tallies(tallyDecider, new CommandRunner(log, clock));
  elsewhere = new Tallies(tallyDecider, new CommandRunner(stored, clock));
});

const add = (by: number) => () => [added(by)];

it('reads a stream once for any number of decisions on what was loaded or appended', async () => {
  const loaded = await tallies.load('a');
  const first = await tallies.update(loaded, contextOf(), add(1));
  const second = await tallies.update(first, contextOf(), add(10));
  expect(second).toMatchObject({ id: 'a', state: { total: 11 }, revision: 1, events: [added(10)] });
  expect(log.reads).toHaveLength(1);
});

it('has what this process last loaded or appended without a read, and nothing else', async () => {
  expect(tallies.cached('a')).toBeUndefined();
  await tallies.update('a', contextOf(), add(1));
  await elsewhere.update('a', contextOf(), add(5));
  const { length } = log.reads;
  expect(tallies.cached('a')).toMatchObject({ state: { total: 1 }, revision: 0 });
  expect(log.reads).toHaveLength(length);
});

it('reads the stream after a conflict, and decides again', async () => {
  const loaded = await tallies.load('a');
  await elsewhere.update('a', contextOf(), add(5));
  const seen: number[] = [];
  const decided = await tallies.update(loaded, contextOf(), ({ total }) => {
    seen.push(total);
    return [added(1)];
  });
  expect(seen).toEqual([0, 5]);
  expect(decided).toMatchObject({ state: { total: 6 }, revision: 1 });
  expect(log.reads).toHaveLength(2);
});

it('decides on what this process has appended since the load, without a read', async () => {
  const loaded = await tallies.load('a');
  await tallies.update(loaded, contextOf(), add(5));
  const decided = await tallies.update(loaded, contextOf(), ({ total }) => (total === 5 ? [added(1)] : []));
  expect(decided.state.total).toBe(6);
  expect(log.reads).toHaveLength(1);
});

it('answers a repeat from the loaded state, and advances the consistency token to it', async () => {
  const { position } = await elsewhere.update('a', contextOf(), add(5));
  const loaded = await tallies.load('a');
  const context = contextOf();
  expect(await tallies.update(loaded, context, () => [])).toMatchObject({ state: { total: 5 }, events: [] });
  expect(context.consistencyToken.position).toBe(position);
  expect(log.reads).toHaveLength(1);
});

it('loads an id before it decides, and several ids in their order', async () => {
  await elsewhere.update('b', contextOf(), add(2));
  expect(await tallies.update('b', contextOf(), add(1))).toMatchObject({ id: 'b', state: { total: 3 } });
  const loaded = await tallies.loadAll(['b', 'nobody']);
  expect(loaded.map(({ id, state }) => [id, state.total])).toEqual([
    ['b', 3],
    ['nobody', 0],
  ]);
});

it('appends to a new stream without a read, and reads one that is not new', async () => {
  expect(await tallies.update(tallies.assumeNew('a'), contextOf(), add(1))).toMatchObject({ state: { total: 1 } });
  expect(log.reads).toEqual([]);
  await elsewhere.update('b', contextOf(), add(5));
  const decided = await tallies.update(tallies.assumeNew('b'), contextOf(), ({ total }) =>
    total === 0 ? [added(1)] : [],
  );
  expect(decided).toMatchObject({ state: { total: 5 }, events: [] });
  expect(log.reads).toHaveLength(1);
});
