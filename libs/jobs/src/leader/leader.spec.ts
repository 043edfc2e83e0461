import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { assertLeading, NotLeading, SECOND, StoreUnavailable, WORKER_LEASE } from '#kernel';
import { eventually, FakeClock, InMemoryDocumentStore, RecordingLogger } from '#testing';
import { holderName, Leases } from '../leases/leases.js';
import { Leader, type Term } from './leader.js';

let store: InMemoryDocumentStore;
let clock: FakeClock;
let processes: { readonly leader: Leader; readonly terms: Term[] }[];

/** Timers that go off when the clock has passed them. */
let timers: { readonly at: number; readonly ring: () => void }[];
const wait = (duration: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    timers.push({ at: clock.elapsed() + duration, ring: resolve });
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** A process whose work lasts as long as its term; `act` hands something to a client as part of it. */
const processOf = (holder = holderName(String(processes.length))) => {
  const leader = new Leader(new Leases(store, clock, holder), new RecordingLogger(), () => clock.elapsed(), wait);
  const terms: Term[] = [];
  const asked: PromiseWithResolvers<unknown>[] = [];
  let wake = () => {};
  const start = () =>
    leader.start(async (term) => {
      terms.push(term);
      while (!term.over.aborted) {
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        term.over.addEventListener('abort', () => resolve());
        for (const one of asked.splice(0)) one.resolve(outcomeOf());
        await promise;
      }
    });
  const act = () => {
    const one = Promise.withResolvers<unknown>();
    asked.push(one);
    wake();
    return one.promise;
  };
  const process = { leader, terms, start, act };
  processes.push(process);
  return process;
};

const outcomeOf = (): unknown => {
  try {
    assertLeading();
    return 'done';
  } catch (error) {
    return error;
  }
};

/** Lets time pass for all processes, whether or not the others' renewals arrive. */
const pass = async (time: number) => {
  for (let passed = 0; passed < time; passed += 500) {
    clock.advance(500);
    const due = timers.filter(({ at }) => at <= clock.elapsed());
    timers = timers.filter(({ at }) => at > clock.elapsed());
    for (const { ring } of due) ring();
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
};

beforeEach(() => {
  timers = [];
  store = new InMemoryDocumentStore();
  clock = new FakeClock();
  processes = [];
});

afterEach(async () => {
  await Promise.all(processes.map(({ leader }) => leader.stop()));
});

const roles = () => processes.map(({ leader }) => leader.role);

describe('of several workers', () => {
  it('one leads, the others stand by, and one that was not started does neither', async () => {
    const [one, other] = [processOf(), processOf(), processOf()];
    one.start();
    other.start();
    await pass(SECOND);
    expect(roles()).toEqual(['leader', 'standby', 'none']);
    await pass(60 * SECOND);
    expect(roles()).toEqual(['leader', 'standby', 'none']);
    expect(one.terms).toHaveLength(1);
  });

  it('another leads within a second after the leader has stopped, under a greater fence', async () => {
    const [one, other] = [processOf(), processOf()];
    one.start();
    await pass(SECOND);
    other.start();
    await pass(SECOND);
    const stopped = one.leader.stop();
    await pass(SECOND);
    await stopped;
    expect(other.leader.role).toBe('leader');
    expect(other.terms[0]?.fence).toBeGreaterThan(one.terms[0]?.fence ?? Number.NaN);
    expect(one.terms[0]?.over.aborted).toBe(true);
  });

  it('one takes over six seconds after the last renewal of a leader that it cannot see', async () => {
    await store.acquireLease(WORKER_LEASE, 'elsewhere/1/1/', 0, 1);
    const one = processOf();
    one.start();
    await pass(5.5 * SECOND);
    expect(one.leader.role).toBe('standby');
    await pass(SECOND);
    expect(one.leader.role).toBe('leader');
  });

  it('one that resigns as a standby never leads', async () => {
    const [one, other] = [processOf(), processOf()];
    one.start();
    await pass(SECOND);
    other.start();
    other.leader.resign();
    const stopped = one.leader.stop();
    await pass(10 * SECOND);
    await stopped;
    expect(other.terms).toEqual([]);
  });
});

describe('a leader whose renewals do not arrive', () => {
  const cutOff = () => {
    const acquire = store.acquireLease.bind(store);
    return jest.spyOn(store, 'acquireLease').mockImplementation(async (...given) => {
      if (given[1] === holderName('0')) throw new StoreUnavailable('no way to the store');
      return acquire(...given);
    });
  };

  it('starts nothing from five seconds after it sent the last one, and goes on when one returns its fence', async () => {
    const one = processOf();
    one.start();
    await pass(SECOND);
    const cut = cutOff();
    await pass(3 * SECOND);
    expect(await one.act()).toBe('done');
    await pass(4 * SECOND);
    expect(await one.act()).toBeInstanceOf(NotLeading);
    cut.mockRestore();
    await pass(2 * SECOND);
    expect(await one.act()).toBe('done');
    expect(one.terms).toHaveLength(1);
  });

  it('becomes a standby when another has taken over, and nothing that it still does is started', async () => {
    const [one, other] = [processOf(), processOf()];
    one.start();
    await pass(SECOND);
    other.start();
    await pass(SECOND);
    const cut = cutOff();
    await pass(8 * SECOND);
    expect(other.leader.role).toBe('leader');
    expect(await one.act()).toBeInstanceOf(NotLeading);
    cut.mockRestore();
    await pass(2 * SECOND);
    expect(roles()).toEqual(['standby', 'leader']);
    expect(one.terms[0]?.over.aborted).toBe(true);
  });

  it('counts from when it sent the renewal, not from when the answer came', async () => {
    const one = processOf();
    one.start();
    await pass(SECOND);
    const acquire = store.acquireLease.bind(store);
    const answered = Promise.withResolvers<void>();
    const slow = jest.spyOn(store, 'acquireLease').mockImplementation(async (...given) => {
      const lease = await acquire(...given);
      await answered.promise;
      return lease;
    });
    await pass(8 * SECOND);
    answered.resolve();
    slow.mockRestore();
    await eventually(async () => (await one.act()) instanceof NotLeading);
  });
});
