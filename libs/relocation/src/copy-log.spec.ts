import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openEventStoreDbEventLog } from '#event-log';
import { type EventLog, type EventToAppend, newEventId, StoreUnavailable, type StreamName } from '#kernel';
import { withHashChain } from '#tamper-evidence';
import { InMemoryEventLog } from '#testing';
import { logOnDouble } from '../../event-log/src/eventstoredb/testing/log-on-double.js';
import { temporaryLog } from '../../event-log/src/sqlite/testing/temporary-log.js';
import { InterceptedLog } from '../../kernel/src/stores/intercepted-log.fixtures.js';
import { copyLog, type LogProgress } from './copy-log.js';
import { CopyRefused, eventsAfter } from './log-walk.js';

const STREAMS = 7;
const APPENDS = 120;

const event = (n: number): EventToAppend => ({
  id: newEventId(),
  type: n % 2 === 0 ? 'thing.happened.v1' : 'thing.changed.v1',
  data: {
    n,
    personal: { encryptedFor: 'crt_1', text: 'bm90IG9wZW4=' },
    nested: { 7: [1e21, -0.5, null], text: 'ünï\u001f' },
  },
  metadata: { at: 7 + n, correlationId: `req_${n}`, causationId: null, actor: 'key:test', workspaceId: null },
});

const fill = async (log: EventLog): Promise<void> => {
  const chained = withHashChain(log);
  const ends = new Map<StreamName, number>();
  for (let n = 0; n < APPENDS; n++) {
    const stream: StreamName = `thing-${(n * n) % STREAMS}`;
    const some = Array.from({ length: 1 + (n % 4) }, () => event(n));
    ends.set(stream, (await chained.append(stream, ends.get(stream) ?? 'none', some)).revision);
  }
};

/** All that a log holds, in its order, without the positions, which are the store's own. */
const contents = async (log: EventLog) =>
  (await Array.fromAsync(eventsAfter(log, 0))).map(({ position: _, ...rest }) => rest);

/** Lets the first `appends` appends through and refuses the rest, as if the tool were killed there. */
const endingAfter = (log: EventLog, appends: number): EventLog => {
  const ending = new InterceptedLog(log);
  ending.beforeAppend = async () => {
    if (ending.appends > appends) throw new StoreUnavailable('the copy is interrupted');
  };
  return ending;
};

describe('A copy of a log', () => {
  let source: EventLog;
  let target: InMemoryEventLog;

  beforeEach(async () => {
    source = new InMemoryEventLog();
    target = new InMemoryEventLog();
    await fill(source);
  });
  afterEach(() => Promise.all([source.close(), target.close()]));

  it('goes from an embedded log to EventStoreDB and back, and is the same in all but its positions', async () => {
    const embedded = [await temporaryLog(), await temporaryLog()] as const;
    const server = await logOnDouble();
    const [first, last] = [embedded[0].open(), embedded[1].open()];
    await fill(first);
    const there = await copyLog(first, server.log);
    const back = await copyLog(server.log, last);
    const original = await contents(first);
    expect(there).toEqual({ events: original.length, found: 0, digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(back).toEqual(there);
    expect(await contents(server.log)).toEqual(original);
    expect(await contents(last)).toEqual(original);
    // The chain goes on in the copy as it would have in the original.
    const stream: StreamName = 'thing-0';
    const revision = (await last.readStream(stream)).length - 1;
    const next = event(1);
    await Promise.all([first, last].map((log) => withHashChain(log).append(stream, revision, [next])));
    expect(await contents(last)).toEqual(await contents(first));
    await Promise.all([server.close(), ...embedded.map((log) => log.close())]);
  });

  it('that was interrupted continues where it ended', async () => {
    const server = await logOnDouble();
    for (const appends of [0, 1, 30, 55]) {
      await expect(copyLog(source, endingAfter(server.log, appends))).rejects.toThrow(StoreUnavailable);
    }
    const before = (await contents(server.log)).length;
    expect(before).toBeGreaterThan(80);
    const { events, found } = await copyLog(source, server.log);
    expect(found).toBe(before);
    expect(await contents(server.log)).toEqual(await contents(source));
    expect(await copyLog(source, server.log)).toMatchObject({ events, found: events });
    await server.close();
  });

  it('loses and repeats nothing if answers and connections are lost', async () => {
    const server = await logOnDouble({ attemptTimeout: 100, retryFor: 20_000 });
    server.double.faults.lostAfter = 3;
    server.double.faults.unanswered = 2;
    await copyLog(source, server.log);
    expect(await contents(server.log)).toEqual(await contents(source));
    await server.close();
  });

  it('reports its progress', async () => {
    const reported: LogProgress[] = [];
    await copyLog(source, endingAfter(target, 20)).catch(() => undefined);
    const { events } = await copyLog(source, target, (progress) => reported.push(progress));
    const head = await source.head();
    expect(reported.at(-1)).toEqual({ reached: head, head, events });
    expect(reported.map((progress) => progress.reached)).toEqual(
      reported.map((each) => each.reached).toSorted((a, b) => a - b),
    );
  });

  it('copies what is appended to the source during the copy', async () => {
    const growing = new InterceptedLog(target);
    growing.beforeAppend = async () => {
      growing.beforeAppend = async () => undefined;
      await source.append('late-1', 'none', [event(1)]);
    };
    await copyLog(source, growing);
    expect(await contents(target)).toEqual(await contents(source));
  });

  const refusal = (from: EventLog, to: EventLog) =>
    copyLog(from, to).then(
      () => undefined,
      (error: unknown) => (error instanceof CopyRefused ? error.message : error),
    );

  it('is refused, and changes nothing, if the target holds another log', async () => {
    await target.append('other-1', 'none', [event(1)]);
    const before = await contents(target);
    expect(await refusal(source, target)).toMatch(/event 1 .* holds another log.*Copy into an empty one/);
    expect(await contents(target)).toEqual(before);
  });

  it('is refused if the target has more events than the source', async () => {
    await copyLog(source, target);
    await target.append('thing-9', 'none', [event(1)]);
    expect(await refusal(source, target)).toMatch(/goes on where the source ends.*thing-9/);
  });

  it.each(['data', 'metadata', 'type', 'id'] as const)(
    'finds an event whose %s is not as it was, in the source or in the target',
    async (member) => {
      const originals = await contents(source);
      const { stream, id } = originals[42] ?? { stream: '', id: '' };
      const altered = new InMemoryEventLog();
      for (const { revision, ...original } of originals) {
        const change = member === 'type' || member === 'id' ? newEventId() : { ...original[member], n: -1 };
        const copy = original.id === id ? { ...original, [member]: change } : original;
        await altered.append(copy.stream, revision === 0 ? 'none' : revision - 1, [copy]);
      }
      for (const [from, to] of [
        [altered, source],
        [source, altered],
      ] as const) {
        expect(await refusal(from, to)).toMatch(new RegExp(`event 43 .*${stream} at revision .*altered`));
      }
      await altered.close();
    },
  );

  it.each([
    ['in a stream that is to be copied', 'thing-0'],
    ['in one of their own', 'other-1'],
  ] as const)('is refused if another process writes to the target during the copy, %s', async (_, stream) => {
    const shared = new InterceptedLog(target);
    shared.beforeAppend = async () => {
      shared.beforeAppend = async () => undefined;
      await target.append(stream, 'any', [event(1)]);
    };
    expect(await refusal(source, shared)).toMatch(/another process writes.*empty log/);
  });

  it('makes only appends that a store accepts, for any size of the events of a stream', async () => {
    const text = 'x'.repeat(200_000);
    const large = Array.from({ length: 5 }, () => ({ ...event(1), data: { text } }));
    for (const [revision, one] of large.entries()) {
      await source.append('large-1', revision === 0 ? 'none' : revision - 1, [one]);
    }
    for (const first of [0, 400, 800]) {
      const some = Array.from({ length: 400 }, () => event(1));
      await source.append('many-1', first === 0 ? 'none' : first - 1, some);
    }
    const { events } = await copyLog(source, target);
    expect(await contents(target)).toEqual(await contents(source));
    expect(events).toBe((await contents(source)).length);
  });

  it('reports that a store cannot be reached', async () => {
    const nowhere = await openEventStoreDbEventLog({
      url: 'esdb://127.0.0.1:9?tls=false',
      retryFor: 50,
      attemptTimeout: 50,
    });
    await expect(copyLog(source, nowhere)).rejects.toThrow(StoreUnavailable);
    await nowhere.close();
  });
});
