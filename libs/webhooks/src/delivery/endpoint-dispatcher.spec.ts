import { beforeEach, expect, it } from '@jest/globals';
import {
  DAY,
  derivedId,
  type Instant,
  MINUTE,
  NEVER,
  PersonalDataUnreadable,
  SECOND,
  StoreUnavailable,
  type WebhookDeliveryId,
} from '#kernel';
import { eventually, FakeClock, RecordingLogger, settled } from '#testing';
import type { SendOutcome } from '../domain/send-outcome.js';
import type { DeliveryList, DueDelivery } from '../read-models/delivery-list.js';
import { EndpointDispatcher } from './endpoint-dispatcher.js';
import type { AttemptOutcome } from './webhook-attempts.js';

const endpointId = derivedId('webhookEndpoint', 'one');
const never = new AbortController().signal;
const delivered: SendOutcome = { kind: 'delivered', status: 200 };

/** A backlog of so many deliveries; it notifies the dispatcher when it has changed. */
class Backlog implements Pick<DeliveryList, 'due'> {
  readonly pending = new Map<WebhookDeliveryId, Instant>();
  dispatcher: EndpointDispatcher | undefined;
  most = 0;

  constructor(count: number) {
    for (let n = 0; n < count; n++) this.pending.set(derivedId('webhookDelivery', n), 0);
  }

  remove(id: WebhookDeliveryId): void {
    this.pending.delete(id);
    this.dispatcher?.notify();
  }

  async due(_: typeof endpointId, now: Instant, limit: number): Promise<DueDelivery[]> {
    const all = [...this.pending].map(([deliveryId, dueAt]) => ({ deliveryId, dueAt }));
    const due = all.filter(({ dueAt }) => dueAt <= now).slice(0, limit);
    this.most = Math.max(this.most, due.length);
    return due;
  }
}

let clock: FakeClock;
let logger: RecordingLogger;
let setAside: WebhookDeliveryId[];
const neverSetAside = () => Promise.reject(new Error('set aside'));
beforeEach(() => {
  clock = new FakeClock(0);
  logger = new RecordingLogger();
  setAside = [];
});

const aDispatcher = (backlog: Backlog, attempt: (id: WebhookDeliveryId) => Promise<AttemptOutcome>) => {
  const attempts = {
    attempt: async (_: typeof endpointId, ids: readonly WebhookDeliveryId[]) => ids.map(attempt),
    setAside: async (id: WebhookDeliveryId) => {
      setAside.push(id);
      backlog.remove(id);
    },
  };
  const dispatcher = new EndpointDispatcher(endpointId, backlog, attempts, clock, logger);
  backlog.dispatcher = dispatcher;
  return dispatcher;
};

const sent = (backlog: Backlog, id: WebhookDeliveryId, outcome: SendOutcome = delivered): AttemptOutcome => ({
  kind: 'sent',
  outcome,
  record: async () => backlog.remove(id),
});

it('delivers all that is due, each once, and then ends', async () => {
  const backlog = new Backlog(1_000);
  const attempted: string[] = [];
  const dispatcher = aDispatcher(backlog, async (id) => {
    attempted.push(id);
    return sent(backlog, id);
  });
  await dispatcher.run(never);
  expect(backlog.pending.size).toBe(0);
  expect(new Set(attempted).size).toBe(1_000);
  expect(attempted).toHaveLength(1_000);
});

it('starts new attempts together after those that end in one turn of the event loop', async () => {
  const backlog = new Backlog(100);
  const open: (() => void)[] = [];
  const dispatcher = aDispatcher(backlog, async (id) => {
    await new Promise<void>((answered) => open.push(answered));
    return sent(backlog, id);
  });
  const ran = dispatcher.run(never);
  await eventually(() => open.length === 64);
  for (const answered of open.slice(0, 3)) {
    answered();
    // Each answer is a separate callback.
    await new Promise<void>((next) => process.nextTick(next));
    expect(open).toHaveLength(64);
  }
  await new Promise((turn) => setImmediate(turn));
  expect(open).toHaveLength(67);
  for (let n = 3; n < 100; n++) {
    await eventually(() => open.length > n);
    open[n]?.();
  }
  await ran;
});

it('D63: attempts together what it starts together, up to the limit of the pace', async () => {
  const backlog = new Backlog(100);
  const together: number[] = [];
  const attempt = async (_: typeof endpointId, ids: readonly WebhookDeliveryId[]) => {
    together.push(ids.length);
    return ids.map(async (id) => sent(backlog, id));
  };
  const dispatcher = new EndpointDispatcher(endpointId, backlog, { attempt, setAside: neverSetAside }, clock, logger);
  backlog.dispatcher = dispatcher;
  await dispatcher.run(never);
  expect(together).toEqual([64, 36]);
});

it('deliveries that cannot be looked up together are retried one by one: the broken one blocks no other', async () => {
  const backlog = new Backlog(3);
  const broken = derivedId('webhookDelivery', 1);
  const together: number[] = [];
  const attempt = async (_: typeof endpointId, ids: readonly WebhookDeliveryId[]) => {
    together.push(ids.length);
    if (ids.includes(broken)) throw new Error('its stream cannot be read');
    return ids.map(async (id) => sent(backlog, id));
  };
  const dispatcher = new EndpointDispatcher(endpointId, backlog, { attempt, setAside: neverSetAside }, clock, logger);
  backlog.dispatcher = dispatcher;
  expect(await dispatcher.run(never)).toBe(true);
  expect([backlog.pending.size, logger.lines.length]).toEqual([3, 3]);
  clock.advance(SECOND);
  await dispatcher.run(never);
  expect([...backlog.pending.keys()]).toEqual([broken]);
  expect(together).toEqual([3, 1, 1, 1]);
});

it('holds about a thousand of 100,000 waiting deliveries in memory, and has 64 in flight', async () => {
  const backlog = new Backlog(100_000);
  const gate = Promise.withResolvers<void>();
  let underWay = 0;
  const over = new AbortController();
  const dispatcher = aDispatcher(backlog, async () => {
    underWay++;
    await gate.promise;
    return { kind: 'nothing_sent' };
  });
  const running = dispatcher.run(over.signal);
  await eventually(() => underWay === 64);
  expect(backlog.most).toBeLessThan(2_000);
  over.abort();
  gate.resolve();
  await running;
  expect(underWay).toBe(64);
});

it('starts nothing twice while the read model still shows it as due', async () => {
  const backlog = new Backlog(3);
  const attempted: string[] = [];
  const recorded: WebhookDeliveryId[] = [];
  const dispatcher = aDispatcher(backlog, async (id) => {
    attempted.push(id);
    return { kind: 'sent', outcome: delivered, record: async () => void recorded.push(id) };
  });
  const running = dispatcher.run(never);
  await eventually(() => recorded.length === 3);
  for (let look = 0; look < 5; look++) {
    dispatcher.notify();
    await new Promise((resolve) => setImmediate(resolve));
  }
  for (const id of recorded) backlog.remove(id);
  await running;
  expect(attempted).toHaveLength(3);
});

it('starts a delivery again that is due again, however soon that is', async () => {
  const backlog = new Backlog(1);
  let attempts = 0;
  const dispatcher = aDispatcher(backlog, async (id) => ({
    kind: 'sent',
    outcome: delivered,
    record: async () => {
      if (++attempts === 3) backlog.pending.delete(id);
      else backlog.pending.set(id, -attempts);
      dispatcher.notify();
    },
  }));
  await dispatcher.run(never);
  expect(attempts).toBe(3);
});

it('D63: after failures in a row it sends one at a time', async () => {
  const backlog = new Backlog(100);
  let underWay = 0;
  const seen: number[] = [];
  const dispatcher = aDispatcher(backlog, async (id) => {
    seen.push(++underWay);
    await new Promise((resolve) => setImmediate(resolve));
    underWay--;
    return sent(backlog, id, seen.length > 90 ? delivered : { kind: 'failed', error: 'timeout' });
  });
  await dispatcher.run(never);
  expect(Math.max(...seen.slice(0, 64))).toBe(64);
  expect(Math.max(...seen.slice(70, 90))).toBe(1);
});

it('D82: records a failure after the successes that were answered before it', async () => {
  const backlog = new Backlog(3);
  const [failing] = backlog.pending.keys();
  const order: string[] = [];
  let recording = 0;
  const slow = Promise.withResolvers<void>();
  const dispatcher = aDispatcher(backlog, async (id) => {
    const outcome: SendOutcome = id === failing ? { kind: 'refused', status: 500 } : delivered;
    const record = async () => {
      if (id !== failing) {
        recording++;
        await slow.promise;
      }
      order.push(outcome.kind);
      backlog.remove(id);
    };
    return { kind: 'sent', outcome, record };
  });
  const run = dispatcher.run(never);
  await eventually(() => recording === 2);
  await settled();
  expect(order).toEqual([]);
  slow.resolve();
  await run;
  expect(order).toEqual(['delivered', 'delivered', 'refused']);
});

it('D62: pauses when its agency is denied, until the time of the next try, and starts nothing more', async () => {
  clock.set(SECOND);
  const backlog = new Backlog(1_000);
  let attempts = 0;
  const dispatcher = aDispatcher(backlog, async () => {
    attempts++;
    return { kind: 'suspended', until: MINUTE };
  });
  await dispatcher.run(never);
  const before = attempts;
  expect(before).toBeLessThanOrEqual(64);
  await dispatcher.run(never);
  expect(attempts).toBe(before);
  expect(dispatcher.pausedUntil(SECOND)).toBe(MINUTE);
});

it('D62: does not stay paused when the clock is set back to before the pause', async () => {
  clock.set(SECOND);
  const backlog = new Backlog(1);
  const outcomes: (() => AttemptOutcome)[] = [() => ({ kind: 'suspended', until: MINUTE })];
  const dispatcher = aDispatcher(backlog, async (id) => outcomes.pop()?.() ?? sent(backlog, id));
  await dispatcher.run(never);
  expect([...backlog.pending]).toHaveLength(1);
  clock.set(0);
  expect(dispatcher.pausedUntil(0)).toBe(0);
  await dispatcher.run(never);
  expect([...backlog.pending]).toEqual([]);
});

it('a delivery that cannot be attempted waits longer each time, and blocks no other', async () => {
  const backlog = new Backlog(10);
  const broken = derivedId('webhookDelivery', 0);
  let tries = 0;
  const dispatcher = aDispatcher(backlog, async (id) => {
    if (id !== broken) return sent(backlog, id);
    tries++;
    throw new Error('the feed has lost it');
  });
  await dispatcher.run(never);
  expect([...backlog.pending.keys()]).toEqual([broken]);
  expect(tries).toBe(1);
  clock.advance(SECOND);
  await dispatcher.run(never);
  clock.advance(SECOND);
  await dispatcher.run(never);
  expect(tries).toBe(2);
  clock.advance(SECOND);
  await dispatcher.run(never);
  expect(tries).toBe(3);
  expect(logger.lines.map(({ level }) => level)).toEqual(['warn', 'warn', 'warn']);
});

it('a delivery that the log does not show as due yet is started later', async () => {
  const backlog = new Backlog(1);
  let attempts = 0;
  const dispatcher = aDispatcher(backlog, async (id) =>
    ++attempts === 1 ? { kind: 'not_yet', wait: SECOND } : sent(backlog, id),
  );
  expect(await dispatcher.run(never)).toBe(true);
  expect(await dispatcher.run(never)).toBe(false);
  expect(attempts).toBe(1);
  clock.advance(SECOND);
  expect(await dispatcher.run(never)).toBe(true);
  expect(attempts).toBe(2);
  expect(logger.lines).toEqual([]);
});

it('D93: attempts what the read model shows as due later only if it is asked to, and what is set aside never', async () => {
  const backlog = new Backlog(2);
  const [later, aside] = [...backlog.pending.keys()];
  if (later === undefined || aside === undefined) throw new Error('no deliveries');
  backlog.pending.set(later, DAY).set(aside, NEVER);
  const attempted: WebhookDeliveryId[] = [];
  const dispatcher = aDispatcher(backlog, async (id) => {
    attempted.push(id);
    return attempted.length === 1 ? { kind: 'not_yet', wait: MINUTE } : sent(backlog, id);
  });
  await dispatcher.run(never);
  expect(attempted).toEqual([]);
  await dispatcher.run(never, true);
  // The wait does not depend on the wall clock.
  clock.jump(DAY / 2);
  await dispatcher.run(never, true);
  expect(attempted).toEqual([later]);
  clock.advance(MINUTE);
  await dispatcher.run(never, true);
  expect(attempted).toEqual([later, later]);
});

it('D67: a delivery that fails three times for its own reasons is set aside, and nothing waits behind it', async () => {
  const backlog = new Backlog(3);
  const [bad] = [...backlog.pending.keys()];
  let attempts = 0;
  const dispatcher = aDispatcher(backlog, async (id) => {
    if (id !== bad) return sent(backlog, id);
    attempts++;
    throw new TypeError('a mistake of ours');
  });
  for (let round = 0; backlog.pending.size > 0 && round < 10; round++) {
    await dispatcher.run(never);
    clock.advance(5 * MINUTE);
  }
  expect(setAside).toEqual([bad]);
  // The first attempt is made together with others: it may fail because of them.
  expect(attempts).toBe(4);
});

it('D67: deliveries whose key is missing are set aside like others, and this process keeps nothing of them', async () => {
  const backlog = new Backlog(100);
  const all = [...backlog.pending.keys()];
  const dispatcher = aDispatcher(backlog, () => Promise.reject(new PersonalDataUnreadable('missing')));
  for (let round = 0; backlog.pending.size > 0 && round < 10; round++) {
    await dispatcher.run(never);
    clock.advance(5 * MINUTE);
  }
  await dispatcher.run(never);
  expect(new Set(setAside)).toEqual(new Set(all));
  expect([setAside.length, backlog.pending.size]).toEqual([100, 0]);
  expect([Reflect.get(dispatcher, 'deferred').size, Reflect.get(dispatcher, 'claimed').size]).toEqual([0, 0]);
});

it('D67: an unreachable store sets no delivery aside', async () => {
  const backlog = new Backlog(1);
  const dispatcher = aDispatcher(backlog, () => Promise.reject(new StoreUnavailable('gone')));
  for (let round = 0; round < 8; round++) {
    await dispatcher.run(never);
    clock.advance(5 * MINUTE);
  }
  expect([setAside, backlog.pending.size]).toEqual([[], 1]);
});
