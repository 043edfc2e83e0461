import { spawnSync } from 'node:child_process';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, FakeClock, Gate, InMemoryDocumentStore, settled } from '#testing';
import { holderName, Leases } from './leases.js';

const TTL = 60_000;

let store: InMemoryDocumentStore;
let clock: FakeClock;
let here: Leases;
let there: Leases;

beforeEach(() => {
  store = new InMemoryDocumentStore();
  clock = new FakeClock(1_000);
  here = new Leases(store, clock, 'host-a/1/1/');
  there = new Leases(store, clock, 'host-b/1/1/');
});

/** A holder whose process on this host has ended. */
const deadHolder = () => {
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  return `${holderName().split('/')[0]}/${pid}/1/`;
};

describe('a lease', () => {
  it('belongs to one holder, who renews it with the same fence', async () => {
    const lease = await here.acquire('slot', TTL);
    expect(lease).toMatchObject({ holder: 'host-a/1/1/', fence: 1, until: 1_000 + TTL });
    expect(await there.acquire('slot', TTL)).toBeUndefined();
    clock.advance(10);
    expect(await here.acquire('slot', TTL)).toMatchObject({ fence: 1, until: 1_010 + TTL });
  });

  it('passes to another holder when it is released or was not renewed, each time with a higher fence', async () => {
    await here.acquire('slot', TTL);
    await here.release('slot');
    expect(await there.acquire('slot', TTL)).toMatchObject({ fence: 2 });
    expect(await here.acquire('slot', TTL)).toBeUndefined();
    clock.advance(TTL - 1);
    expect(await here.acquire('slot', TTL)).toBeUndefined();
    clock.advance(1);
    expect(await here.acquire('slot', TTL)).toMatchObject({ fence: 3 });
  });

  it('of a holder that died on this host is taken immediately', async () => {
    await store.acquireLease('slot', deadHolder(), clock.now(), clock.now() + TTL);
    expect(await here.acquire('slot', TTL)).toMatchObject({ holder: 'host-a/1/1/', fence: 2 });
  });

  it('is not released by a holder who has lost it', async () => {
    await here.acquire('slot', TTL);
    await there.acquire('slot', TTL);
    clock.advance(TTL);
    expect(await there.acquire('slot', TTL)).toBeDefined();
    await here.release('slot');
    expect(await here.acquire('slot', TTL)).toBeUndefined();
  });
});

/** While the task runs, the lease is renewed every millisecond. */
const held = (task: () => Promise<unknown>) => here.exclusively('slot', 4, task);

describe('the lease of a task', () => {
  it('is not taken again by a renewal after another holder has taken it', async () => {
    let renewals = 0;
    const acquire = store.acquireLease.bind(store);
    await held(async () => {
      await here.release('slot');
      await there.acquire('slot', TTL);
      store.acquireLease = (...given) => {
        renewals++;
        return acquire(...given);
      };
      await eventually(() => renewals > 0);
    });
    expect(await store.lease('slot')).toMatchObject({ holder: 'host-b/1/1/' });
  });

  it('is not taken again by a renewal that is under way at the end', async () => {
    const gate = new Gate();
    const renewals: Promise<unknown>[] = [];
    const ended = held(async () => {
      const acquire = store.acquireLease.bind(store);
      store.acquireLease = async (...given) => {
        const renewal = gate.opened.then(() => acquire(...given));
        renewals.push(renewal);
        return renewal;
      };
      await eventually(() => renewals.length > 0);
    });
    await eventually(() => renewals.length > 0);
    await settled();
    gate.open();
    await ended;
    await Promise.all(renewals);
    expect(await store.lease('slot')).toBeUndefined();
  });

  it('is released after a failure, which rejects', async () => {
    await expect(held(() => Promise.reject(new Error('mine')))).rejects.toThrow('mine');
    expect(await there.acquire('slot', TTL)).toBeDefined();
  });
});

describe('exclusively', () => {
  it('runs one task at a time over two holders, and runs all of them', async () => {
    let running = 0;
    let most = 0;
    const task = async () => {
      most = Math.max(most, ++running);
      await settled();
      running--;
    };
    await Promise.all([here, there, here, there, here].map((leases) => leases.exclusively('creator', TTL, task)));
    expect(most).toBe(1);
  });

  it('excludes others as long as the task runs', async () => {
    const gate = new Gate();
    const ttl = 8;
    const held = here.exclusively('creator', ttl, () => gate.opened);
    await eventually(async () => (await store.lease('creator')) !== undefined);
    for (let rounds = 0; rounds < 3; rounds++) {
      clock.advance(ttl - 1);
      await eventually(async () => (await store.lease('creator'))?.until === clock.now() + ttl);
      expect(await there.acquire('creator', ttl)).toBeUndefined();
    }
    gate.open();
    await held;
    expect(await there.acquire('creator', ttl)).toBeDefined();
  });

  it('rejects after the timeout, behind a task of another process or of the same one', async () => {
    const gate = new Gate();
    const held = here.exclusively('creator', TTL, () => gate.opened);
    await expect(there.exclusively('creator', 1, async () => 'done')).rejects.toThrow('provider_unavailable');
    const queued = here.exclusively('creator', 1, async () => 'done');
    const since = performance.now();
    await eventually(() => performance.now() > since + 2);
    gate.open();
    await held;
    await expect(queued).rejects.toThrow('provider_unavailable');
  });

  it('returns the result of the task, though the lease cannot be released', async () => {
    store.releaseLease = () => Promise.reject(new Error('on fire'));
    expect(await here.exclusively('creator', TTL, async () => 'done')).toBe('done');
    await expect(here.exclusively('creator', TTL, () => Promise.reject(new Error('mine')))).rejects.toThrow('mine');
  });
});
