import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { StoreUnavailable, type StreamName, WrongExpectedRevision } from '#kernel';
import { eventually } from '#testing';
import { event, events, ids } from '../contract/given-events.js';
import { logOnDouble } from './testing/log-on-double.js';

type Opened = Awaited<ReturnType<typeof logOnDouble>>;
type Fault = 'lostBefore' | 'lostAfter' | 'unheard' | 'unanswered' | 'timedOut' | 'busy';

let opened: Opened;

beforeEach(async () => {
  opened = await logOnDouble({ attemptTimeout: 100, retryFor: 20_000 });
});
afterEach(() => opened.close());

const FAULTS: readonly (readonly [string, Fault])[] = [
  ['whose connection is lost before it is written', 'lostBefore'],
  ['whose connection is lost before it is answered', 'lostAfter'],
  ['that is never heard of', 'unheard'],
  ['that is written and never answered', 'unanswered'],
  ['that the server calls timed out, though it is written', 'timedOut'],
  ['that the server is too busy for', 'busy'],
];

test.each(FAULTS)('an append %s happens exactly once', async (_, fault) => {
  const { log, double } = opened;
  const [first, second] = [events(2), events(3)];
  double.faults[fault] = 1;
  expect((await log.append('thing-1', 'none', first)).revision).toBe(1);
  double.faults[fault] = 2;
  const { revision, position } = await log.append('thing-1', 1, second);
  expect(revision).toBe(4);
  const stored = await log.readStream('thing-1');
  expect(ids(stored)).toEqual(ids([...first, ...second]));
  expect(stored.at(-1)?.position).toBe(position);
});

test.each(FAULTS)(
  'of many concurrent ones each happens exactly once, and one %s does not harm the others',
  async (_, fault) => {
    const { log, double } = opened;
    const streams = Array.from({ length: 40 }, (__, n): StreamName => `thing-${n}`);
    const writing = streams.map(async (stream) => {
      for (let n = 0; n < 5; n++) {
        if (stream === 'thing-20') double.faults[fault] = 1;
        await log.append(stream, n === 0 ? 'none' : n - 1, [event({ n })]);
      }
    });
    await Promise.all(writing);
    for (const stream of streams) {
      expect((await log.readStream(stream)).map(({ data }) => data)).toEqual([0, 1, 2, 3, 4].map((n) => ({ n })));
    }
  },
);

test('an append at any revision is not repeated, since the server may not know it again', async () => {
  const { log, double } = opened;
  double.faults.lostAfter = 1;
  await expect(log.append('thing-1', 'any', [event()])).rejects.toBeInstanceOf(StoreUnavailable);
  expect(await log.readStream('thing-1')).toHaveLength(1);
});

test('an unanswered append is refused if another writer has taken its revision', async () => {
  const { double } = opened;
  const [log, other] = await Promise.all([opened.reopen({ attemptTimeout: 60_000 }), opened.reopen()]);
  const winner = event();
  double.faults.unheard = 1;
  const refused = expect(log.append('thing-1', 'none', events(2))).rejects.toBeInstanceOf(WrongExpectedRevision);
  await eventually(() => double.faults.unheard === 0);
  await other.append('thing-1', 'none', [winner]);
  double.loseConnections();
  await refused;
  expect(ids(await log.readStream('thing-1'))).toEqual([winner.id]);
});

test('goes to the leader that a server names', async () => {
  const { log, double } = opened;
  await log.append('thing-1', 'none', [event()]);
  double.faults.notLeader = { host: '127.0.0.1', port: double.port, times: 2 };
  expect((await log.append('thing-1', 0, [event()])).revision).toBe(1);
});

test('reads from the leader, and nothing that a follower may not have heard of', async () => {
  const { log, double } = opened;
  await log.append('thing-1', 'none', [event()]);
  for (const read of [() => log.readStream('thing-1'), () => log.head(), () => log.readLog({ after: 0 })]) {
    double.faults.notLeader = { host: '127.0.0.1', port: double.port, times: 2 };
    await read();
    expect(double.faults.notLeader.times).toBe(0);
  }
});

test('waits for a server that is away for a while', async () => {
  const { log, double } = opened;
  await log.append('thing-1', 'none', [event()]);
  const { promise: hasTried, resolve } = Promise.withResolvers<void>();
  const waiting = double.whileAway(async () => {
    const results = [log.append('thing-1', 0, [event()]), log.readStream('thing-1'), log.head()] as const;
    resolve();
    return { results };
  });
  await hasTried;
  const [appended, stored, head] = await Promise.all((await waiting).results);
  expect(appended.revision).toBe(1);
  expect(stored.length).toBeGreaterThan(0);
  expect(head).toBeGreaterThan(0);
});

test('fails while the server is unavailable, and works again when it is back', async () => {
  const { double } = opened;
  const impatient = await opened.reopen({ retryFor: 50 });
  await impatient.append('thing-1', 'none', [event()]);
  await double.whileAway(async () => {
    for (const asked of [
      () => impatient.append('thing-1', 0, [event()]),
      () => impatient.readStream('thing-1'),
      () => impatient.readLog({ after: 0 }),
      () => impatient.head(),
    ]) {
      await expect(asked()).rejects.toBeInstanceOf(StoreUnavailable);
    }
  });
  const { revision } = await impatient.append('thing-2', 'none', [event()]);
  expect(revision).toBe(0);
});

test('settles appends in progress when it is closed during a failure', async () => {
  const { log, double } = opened;
  await log.append('thing-1', 'none', [event()]);
  double.faults.lostAfter = 1;
  const appending = log.append('thing-1', 0, [event()]);
  await log.close();
  expect((await appending).revision).toBe(1);
});
