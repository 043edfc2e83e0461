import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Position, StreamName } from '../events/event.js';
import { Caches } from '../memory/caches.js';
import type { EventLog, LogChanges, LogTail } from '../stores/event-log.js';
import { AggregateCache, askAgain, askingOnce } from './aggregate-cache.js';
import type { LoadedState } from './decider.js';

const STREAMS: readonly StreamName[] = ['tally-a', 'tally-b'];
const nextCallback = () => new Promise(setImmediate);

/** A log that reports its changes and counts how often it is asked for them. */
class Changes {
  readonly events: StreamName[] = [];
  looks = 0;
  mostTold = Number.POSITIVE_INFINITY;

  readonly log = { changesSince: (after: Position) => this.since(after) } as unknown as EventLog;

  append(stream: StreamName): LoadedState<unknown> {
    this.events.push(stream);
    return this.stateOf(stream);
  }

  stateOf(stream: StreamName): LoadedState<unknown> {
    const revision = this.events.filter((one) => one === stream).length - 1;
    const position = this.events.lastIndexOf(stream) + 1;
    return { id: stream, state: {}, revision, at: position, position, cause: null };
  }

  private since(after: Position): LogChanges {
    this.looks++;
    const grown = new Set(this.events.slice(after));
    const head = this.events.length;
    if (head - after > this.mostTold) return { head, ends: undefined };
    return { head, ends: new Map([...grown].map((stream) => [stream, this.stateOf(stream).revision])) };
  }
}

/** The same on a server. Its tail sees an event when the test says so, and has passed the end when it has seen all. */
class Growth extends Changes {
  private readonly watchers: Parameters<LogTail['watch']>[0][] = [];
  seen: Position = 0;
  questions = 0;

  override readonly log = {
    tail: {
      watch: (watcher) => void this.watchers.push(watcher),
      passesEnd: async () => {
        this.questions++;
        return this.seen === this.events.length;
      },
    } satisfies LogTail,
  } as unknown as EventLog;

  see(): void {
    const stream = this.events[this.seen];
    if (stream === undefined) return;
    this.seen++;
    const revision = this.events.slice(0, this.seen).filter((one) => one === stream).length - 1;
    for (const show of this.watchers) show({ stream, revision, type: 'tally.added.v1' });
  }

  seeAll(): void {
    while (this.seen < this.events.length) this.see();
  }

  lose(): void {
    for (const show of this.watchers) show(undefined);
    this.seen = this.events.length;
  }
}

const clock = { elapsed: () => performance.now() };
const opened = <Log extends Changes = Changes>(changes: Log = new Changes() as Log, time = clock) => ({
  changes,
  states: new AggregateCache(changes.log, time),
});
const keep = (states: AggregateCache, loaded: LoadedState<unknown>, isNeededOften = false) =>
  states.keep(loaded.id as StreamName, isNeededOften, async () => loaded);
/** A read or an append that ends when the test says so. */
const begun = (states: AggregateCache, stream: StreamName) => {
  const { promise, resolve } = Promise.withResolvers<LoadedState<unknown>>();
  const kept = states.keep(stream, false, () => promise);
  return (loaded: LoadedState<unknown>) => {
    resolve(loaded);
    return kept;
  };
};

describe('a folded state', () => {
  it('is up to date until an event is appended to its stream', async () => {
    const { changes, states } = opened();
    await keep(states, changes.append('tally-a'));
    changes.append('tally-b');
    expect(states.isCurrent('tally-a')).toBe(true);
    changes.append('tally-a');
    await nextCallback();
    expect(states.isCurrent('tally-a')).toBe(false);
    expect(states.get('tally-a')).toMatchObject({ revision: 0 });
  });

  it('is asked about once for all streams in a callback of the event loop', async () => {
    const { changes, states } = opened();
    for (const stream of STREAMS) await keep(states, changes.append(stream));
    for (const stream of [...STREAMS, ...STREAMS]) expect(states.isCurrent(stream)).toBe(true);
    await Promise.resolve();
    expect(states.isCurrent('tally-b')).toBe(true);
    expect(changes.looks).toBe(1);
    await nextCallback();
    expect(states.isCurrent('tally-b')).toBe(true);
    expect(changes.looks).toBe(2);
  });

  it('is outdated when the log cannot say all that has changed', async () => {
    const { changes, states } = opened();
    await keep(states, changes.append('tally-a'));
    expect(states.isCurrent('tally-a')).toBe(true);
    changes.mostTold = 1;
    for (let n = 0; n < 2; n++) changes.append('tally-b');
    await nextCallback();
    expect(states.isCurrent('tally-a')).toBe(false);
    await keep(states, changes.stateOf('tally-a'));
    expect(states.isCurrent('tally-a')).toBe(true);
  });

  it('is not cached again by a read that found nothing new, after it was cleared', async () => {
    const { changes, states } = opened();
    const loaded = await keep(states, changes.append('tally-a'));
    const end = begun(states, 'tally-a');
    states.clear();
    await end(loaded);
    expect(states.get('tally-a')).toBeUndefined();
  });

  it('of a stream without events is not cached', async () => {
    const { changes, states } = opened();
    await keep(states, changes.stateOf('tally-a'));
    expect(states.get('tally-a')).toBeUndefined();
  });

  it.each([
    ['of usual size is not evicted by large ones', 'x', false, true],
    ['that is large is evicted by other large ones', 'x'.repeat(100_000), false, false],
    ['that is large and needed often is not evicted by large ones', 'x'.repeat(100_000), true, true],
  ])('%s', async (_what, text, isNeededOften, isKept) => {
    const { changes, states } = opened();
    const stateOf = (stream: StreamName, value: string) => ({
      ...changes.stateOf(stream),
      revision: 0,
      state: { value },
    });
    await keep(states, stateOf('tally-a', text), isNeededOften);
    for (let n = 0; n < 100; n++) await keep(states, stateOf(`tally-${n}`, 'y'.repeat(100_000)));
    expect(states.get('tally-a') !== undefined).toBe(isKept);
  });

  it.each([
    ['of usual size', 'x'.repeat(1_000), false],
    ['that is large', 'x'.repeat(100_000), false],
    ['that is needed often', 'x'.repeat(1_000), true],
  ])('%s has no separate room in a cache with one bound', async (_what, text, isNeededOften) => {
    const { changes } = opened();
    const states = new AggregateCache(changes.log, clock, Caches.ON, 150_000);
    const stateOf = (stream: StreamName, value: string) => ({
      ...changes.stateOf(stream),
      revision: 0,
      state: { value },
    });
    await keep(states, stateOf('tally-a', text), isNeededOften);
    expect(states.get('tally-a')).toBeDefined();
    for (let n = 0; n < 150; n++) await keep(states, stateOf(`tally-${n}`, text));
    expect(states.get('tally-a')).toBeUndefined();
  });

  it('is never up to date with a log that does not report its changes', async () => {
    const states = new AggregateCache({} as EventLog, clock);
    await keep(states, new Changes().append('tally-a'));
    expect(states.isCurrent('tally-a')).toBe(false);
  });

  it('is the last of its stream as of this callback, in any order of appends, slow reads and checks', async () => {
    const step = fc.record({
      stream: fc.constantFrom(...STREAMS),
      does: fc.constantFrom('append', 'append elsewhere', 'begin to load', 'end a load', 'next callback', 'look'),
    });
    const property = fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), async (steps) => {
      const { changes, states } = opened();
      const loads: (() => Promise<unknown>)[] = [];
      let asOf = changes.events.length;
      for (const { stream, does } of steps) {
        if (does === 'append') {
          const end = begun(states, stream);
          const appended = changes.append(stream);
          // A store answers in a later callback.
          await nextCallback();
          asOf = changes.events.length;
          await end(appended);
        }
        if (does === 'append elsewhere') changes.append(stream);
        if (does === 'begin to load') {
          const [end, loaded] = [begun(states, stream), changes.stateOf(stream)];
          loads.push(() => end(loaded));
        }
        if (does === 'end a load') await loads.pop()?.();
        if (does === 'next callback') {
          await nextCallback();
          asOf = changes.events.length;
        }
        if (!(await states.isCurrent(stream))) continue;
        const earlier = changes.events.slice(0, asOf).filter((one) => one === stream).length - 1;
        expect(states.get(stream)?.revision).toBeGreaterThanOrEqual(earlier);
      }
    });
    await fc.assert(property, { numRuns: 300 });
  });
});

describe('a folded state of a log on a server', () => {
  it('is up to date when the tail has passed the end, until the tail sees its stream grow', async () => {
    const { changes, states } = opened(new Growth());
    await keep(states, changes.append('tally-a'));
    changes.append('tally-b');
    expect(await states.isCurrent('tally-a')).toBe(false);
    changes.seeAll();
    expect(await states.isCurrent('tally-a')).toBe(true);
    changes.append('tally-a');
    changes.seeAll();
    const { questions } = changes;
    expect(states.isCurrent('tally-a')).toBe(false);
    expect(changes.questions).toBe(questions);
  });

  it('moves with an own append that the tail sees before its answer, or after', async () => {
    const { changes, states } = opened(new Growth());
    for (const seeBefore of [true, false]) {
      const end = begun(states, 'tally-a');
      const appended = changes.append('tally-a');
      if (seeBefore) changes.seeAll();
      await end(appended);
      changes.seeAll();
      expect(await states.isCurrent('tally-a')).toBe(true);
    }
  });

  it('is dropped when the tail has missed something, which may have been an erasure', async () => {
    const { changes, states } = opened(new Growth());
    const loaded = await keep(states, changes.append('tally-a'));
    const end = begun(states, 'tally-b');
    changes.lose();
    await end({ ...loaded, id: 'tally-b' });
    for (const stream of STREAMS) expect(states.get(stream)).toBeUndefined();
  });

  it('is asked about once in a request, and again where it is loaded again, for what comes after a lease, and later', async () => {
    let elapsed = 0;
    const { changes, states } = opened(new Growth(), { elapsed: () => elapsed });
    for (const stream of STREAMS) await keep(states, changes.append(stream));
    changes.seeAll();
    const inRequest = askingOnce();
    const look = (stream: StreamName) => inRequest(async () => states.isCurrent(stream));
    for (const stream of STREAMS) expect(await look(stream)).toBe(true);
    expect(changes.questions).toBe(1);
    expect(await look('tally-a')).toBe(true);
    expect(changes.questions).toBe(2);
    const another = askingOnce();
    await another(async () => states.isCurrent('tally-a'));
    another(askAgain);
    await another(async () => states.isCurrent('tally-b'));
    expect(changes.questions).toBe(4);
    const slow = askingOnce();
    await slow(async () => states.isCurrent('tally-a'));
    elapsed += 101;
    await slow(async () => states.isCurrent('tally-b'));
    expect(changes.questions).toBe(6);
  });

  it('is the last of its stream as of the question, in any order of appends, slow reads and what the tail sees', async () => {
    const step = fc.record({
      stream: fc.constantFrom(...STREAMS),
      does: fc.constantFrom('append', 'append elsewhere', 'begin', 'end', 'see', 'see all', 'lose'),
    });
    const property = fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), async (steps) => {
      const { changes, states } = opened(new Growth());
      const underWay: (() => Promise<unknown>)[] = [];
      for (const { stream, does } of steps) {
        if (does === 'append elsewhere') changes.append(stream);
        if (does === 'append' || does === 'begin') {
          const end = begun(states, stream);
          const loaded = does === 'append' ? changes.append(stream) : changes.stateOf(stream);
          underWay.push(() => end(loaded));
        }
        if (does === 'end') await underWay.shift()?.();
        if (does === 'see') changes.see();
        if (does === 'see all') changes.seeAll();
        if (does === 'lose') changes.lose();
        const last = changes.stateOf(stream).revision;
        if (await states.isCurrent(stream)) expect(states.get(stream)?.revision).toBeGreaterThanOrEqual(last);
      }
    });
    await fc.assert(property, { numRuns: 500 });
  });
});
