import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Position, StreamName } from '../events/event.js';
import { Caches } from '../memory/caches.js';
import type { EventLog, LogChanges } from '../stores/event-log.js';
import { FoldedStates } from './folded-states.js';
import type { LoadedState } from './loaded-state.js';

const STREAMS: readonly StreamName[] = ['tally-a', 'tally-b'];
const nextCallback = () => new Promise(setImmediate);

/** What a log says of its changes, and how often it is asked. */
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

const opened = () => {
  const changes = new Changes();
  return { changes, states: new FoldedStates(changes.log) };
};

describe('a folded state', () => {
  it('is up to date until an event is appended to its stream', async () => {
    const { changes, states } = opened();
    states.setAppended('tally-a', changes.append('tally-a'));
    changes.append('tally-b');
    expect(states.isCurrent('tally-a')).toBe(true);
    changes.append('tally-a');
    await nextCallback();
    expect(states.isCurrent('tally-a')).toBe(false);
    expect(states.get('tally-a')).toMatchObject({ revision: 0 });
  });

  it('is asked about once for all streams in a callback of the event loop', async () => {
    const { changes, states } = opened();
    for (const stream of STREAMS) states.setAppended(stream, changes.append(stream));
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
    states.setAppended('tally-a', changes.append('tally-a'));
    expect(states.isCurrent('tally-a')).toBe(true);
    changes.mostTold = 1;
    for (let n = 0; n < 2; n++) changes.append('tally-b');
    await nextCallback();
    expect(states.isCurrent('tally-a')).toBe(false);
    states.setLoaded('tally-a', changes.stateOf('tally-a'), states.through);
    expect(states.isCurrent('tally-a')).toBe(true);
  });

  it('is not cached again by a read that found nothing new, after it was cleared', async () => {
    const { changes, states } = opened();
    const loaded = changes.append('tally-a');
    states.setLoaded('tally-a', loaded, states.through);
    states.clear();
    states.confirm('tally-a', loaded, states.through);
    expect(states.get('tally-a')).toBeUndefined();
  });

  it.each([
    ['of usual size is not evicted by large ones', 'x', false, true],
    ['that is large is evicted by other large ones', 'x'.repeat(100_000), false, false],
    ['that is large and needed often is not evicted by large ones', 'x'.repeat(100_000), true, true],
  ])('%s', (_what, text, isNeededOften, isKept) => {
    const { changes, states } = opened();
    const stateOf = (stream: StreamName, value: string) => ({ ...changes.stateOf(stream), state: { value } });
    states.setLoaded('tally-a', stateOf('tally-a', text), states.through, isNeededOften);
    for (let n = 0; n < 100; n++)
      states.setLoaded(`tally-${n}`, stateOf(`tally-${n}`, 'y'.repeat(100_000)), states.through);
    expect(states.get('tally-a') !== undefined).toBe(isKept);
  });

  it.each([
    ['of usual size', 'x'.repeat(1_000), false],
    ['that is large', 'x'.repeat(100_000), false],
    ['that is needed often', 'x'.repeat(1_000), true],
  ])('%s has no separate room in a cache with one bound', (_what, text, isNeededOften) => {
    const { changes } = opened();
    const states = new FoldedStates(changes.log, Caches.ON, 150_000);
    const stateOf = (stream: StreamName, value: string) => ({ ...changes.stateOf(stream), state: { value } });
    states.setLoaded('tally-a', stateOf('tally-a', text), states.through, isNeededOften);
    expect(states.get('tally-a')).toBeDefined();
    for (let n = 0; n < 150; n++) states.setLoaded(`tally-${n}`, stateOf(`tally-${n}`, text), states.through);
    expect(states.get('tally-a')).toBeUndefined();
  });

  it('is never up to date with a log that does not report its changes', () => {
    const states = new FoldedStates({} as EventLog);
    states.setAppended('tally-a', new Changes().append('tally-a'));
    expect(states.isCurrent('tally-a')).toBe(false);
  });

  it('is the last of its stream as of this callback, in any order of appends, slow reads and checks', async () => {
    const step = fc.record({
      stream: fc.constantFrom(...STREAMS),
      does: fc.constantFrom('append', 'append elsewhere', 'begin to load', 'end a load', 'next callback', 'look'),
    });
    const property = fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), async (steps) => {
      const { changes, states } = opened();
      const loads: { stream: StreamName; loaded: LoadedState<unknown>; through: Position }[] = [];
      let asOf = changes.events.length;
      for (const { stream, does } of steps) {
        if (does === 'append') {
          const appended = changes.append(stream);
          // A store answers in a later callback.
          await nextCallback();
          asOf = changes.events.length;
          states.setAppended(stream, appended);
        }
        if (does === 'append elsewhere') changes.append(stream);
        if (does === 'begin to load') {
          loads.push({ stream, loaded: changes.stateOf(stream), through: states.through });
        }
        const load = does === 'end a load' ? loads.pop() : undefined;
        if (load !== undefined) states.setLoaded(load.stream, load.loaded, load.through);
        if (does === 'next callback') {
          await nextCallback();
          asOf = changes.events.length;
        }
        if (!states.isCurrent(stream)) continue;
        const earlier = changes.events.slice(0, asOf).filter((one) => one === stream).length - 1;
        expect(states.get(stream)?.revision).toBeGreaterThanOrEqual(earlier);
      }
    });
    await fc.assert(property, { numRuns: 300 });
  });
});
