import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Checkpoints, endOf, holderName, Leases } from '#jobs';
import { type Document, Fenced, MINUTE, systemClock, WORKER_LEASE } from '#kernel';
import { eventually } from '#testing';
import { ReadModelComparison } from '../comparison.js';
import { Counting, counts, LANE } from '../counting.fixtures.js';
import { readModelStatus } from '../read-model-tools.js';
import { changeEntry, LIVE_COLLECTIONS, type ShadowCollection } from '../stored-live-collections.js';
import { dropStrays, GivenUp } from './shadows.js';

let counting: Counting;

beforeEach(async () => {
  counting = await Counting.open();
});

afterEach(() => counting.end());

const running = new AbortController().signal;
const rebuild = () => counting.rebuild();
const collection = () => counting.collection();

describe('the leader', () => {
  test('folds what has come since into the shadow, and switches in the same version only', async () => {
    await counting.append('a');
    await counting.laneAtEnd();
    const { ended } = await counting.filled();
    await counting.append('a');
    await counting.append('gone');
    await counting.append('gone', 'forgotten.v1');
    const checkpoint = await counting.laneAtEnd();
    expect(await rebuild().finish([counts(2)], checkpoint)).toEqual([]);
    expect(await rebuild().finish([counts(1)], checkpoint)).toEqual([expect.objectContaining({ name: 'counts' })]);
    await ended;
    expect([await counting.count('a'), await counting.count('gone')]).toEqual([2, undefined]);
  });

  test('that was replaced switches nothing', async () => {
    await counting.append('a');
    const checkpoint = await counting.laneAtEnd();
    await counting.filled();
    for (const holder of ['former', 'new']) {
      await counting.store.acquireLease(WORKER_LEASE, holder, Number.MAX_SAFE_INTEGER, 1);
    }
    await expect(rebuild().finish([counts(1)], checkpoint)).rejects.toThrow(Fenced);
    expect(await collection()).toBe('counts_v1_1');
  });

  test('drops a shadow whose beat has stood still for a minute, also one of a comparison', async () => {
    await counting.append('a');
    const checkpoint = await counting.laneAtEnd();
    const shadow = (name: string): ShadowCollection => {
      return { collection: name, version: 1, position: 0, beat: 3, isFilled: false };
    };
    const names = ['counts_v1_7', 'counts_v1_8'] as const;
    await counting.store.ensure(names.map((name) => ({ name, indexes: [] })));
    await changeEntry(counting.store, 'counts', (now) => {
      return now && { ...now, rebuild: shadow(names[0]), comparison: shadow(names[1]) };
    });
    const leading = rebuild();
    await leading.finish([counts(1)], checkpoint);
    counting.elapsed = MINUTE - 1;
    await changeEntry(counting.store, 'counts', (now) => now && { ...now, rebuild: { ...shadow(names[0]), beat: 4 } });
    await leading.finish([counts(1)], checkpoint);
    counting.elapsed = MINUTE;
    await leading.finish([counts(1)], checkpoint);
    expect(await counting.collections()).toEqual(['counts_v1_1', 'counts_v1_7']);
    counting.elapsed = 2 * MINUTE;
    await leading.finish([counts(1)], checkpoint);
    expect(await counting.collections()).toEqual(['counts_v1_1']);
    expect(await collection()).toBe('counts_v1_1');
  });

  test('drops the shadow of a dead process of its host immediately, which the status does not show', async () => {
    const checkpoint = await counting.laneAtEnd();
    const { pid = 0 } = spawnSync(process.execPath, ['--version']);
    const holder = `${holderName().split('/')[0]}/${pid}/1/`;
    const rebuildOf = (by: string) => ({ collection: 'counts_v1_7', version: 1, position: 0, holder: by, beat: 3 });
    const begin = (by: string) =>
      changeEntry(counting.store, 'counts', (now) => now && { ...now, rebuild: { ...rebuildOf(by), isFilled: false } });
    const isShown = async () => (await readModelStatus([counts(1)], counting.log, counting.store))[0]?.isBeingRebuilt;
    const leading = rebuild();
    for (const [by, isUnderWay] of [[holderName(), true] as const, [holder, false] as const]) {
      await begin(by);
      expect(await isShown()).toBe(isUnderWay);
      await leading.finish([counts(1)], checkpoint);
      expect((await counting.entry())?.rebuild !== undefined).toBe(isUnderWay);
    }
  });

  test('of another version is waited for a minute only', async () => {
    await counting.append('a');
    await counting.laneAtEnd();
    const ended = rebuild().run([counts(2)]);
    ended.catch(() => undefined);
    await eventually(async () => (await counting.entry())?.rebuild?.isFilled === true);
    counting.elapsed = MINUTE;
    await expect(ended).rejects.toThrow(/no worker that runs its version 2 has taken it over/);
    expect(await counting.collections()).toEqual(['counts_v1_1']);
  });

  test('has given up a rebuild that stood still, and that says so', async () => {
    await counting.append('a');
    await counting.laneAtEnd();
    const { ended } = await counting.filled();
    await changeEntry(counting.store, 'counts', () => ({ id: 'counts', collection: 'counts_v1_1', version: 1 }));
    await expect(ended).rejects.toThrow(GivenUp);
  });

  test('D72: drops what a killed rebuild left, and nothing of other read models', async () => {
    const others = ['counts_v1', 'counts_v1_1_x', 'other_counts_v1_1', 'counts_vx_1'];
    await counting.store.ensure(['counts_v1_2', 'counts_v1_98765', ...others].map((name) => ({ name, indexes: [] })));
    await dropStrays(counting.store, [counts(1)]);
    expect(await counting.collections()).toEqual([...others, 'counts_v1_1'].toSorted());
  });

  test('D72: keeps the collection that readers use without an entry', async () => {
    const { store } = counting;
    await store.write([{ collection: LIVE_COLLECTIONS.name, remove: ['counts'] }]);
    await store.ensure(['counts_v1_2', 'counts_v1_7'].map((left) => ({ name: left, indexes: [] })));
    await dropStrays(store, [counts(1)]);
    expect(await counting.collections()).toEqual(['counts_v1_1']);
  });

  test('drops before its lane starts what an earlier build has kept for a way back', async () => {
    const { store } = counting;
    await store.ensure([{ name: 'counts_v1_2', indexes: [] }]);
    const replaced = { collection: 'counts_v1_2', version: 1, position: 0 };
    const live = { id: 'counts', collection: 'counts_v1_1', version: 1, replaced };
    await store.write([{ collection: LIVE_COLLECTIONS.name, put: [live] }]);
    await rebuild().prepare([counts(1)], await counting.laneAtEnd(), running);
    expect(await counting.collections()).toEqual(['counts_v1_1']);
    expect(await counting.entry()).not.toHaveProperty('replaced');
  });
});

describe('a changed version', () => {
  const prepared = async (version: number, step = 1) => {
    const lane = { name: LANE, consumers: [] };
    const { checkpoint } = await new Checkpoints(counting.store, counting.log).take(lane, 5);
    await rebuild().prepare([counts(version, step)], checkpoint, running);
  };

  test('is filled up to the checkpoint before the lane starts', async () => {
    for (let n = 0; n < 3; n++) await counting.append('a');
    const { position } = await counting.laneAtEnd();
    await counting.append('a');
    await prepared(2, 10);
    expect(await counting.live()).toMatchObject({ collection: expect.stringMatching(/^counts_v2_/), version: 2 });
    expect(await counting.count('a')).toBe(30);
    expect(await counting.store.checkpoint(LANE)).toMatchObject({ position, event: { readModels: { counts: 2 } } });
  });

  test('is not filled again', async () => {
    await prepared(2);
    const before = await collection();
    await prepared(2);
    expect(await collection()).toBe(before);
  });

  test('is waited for when another process has begun a rebuild of it since', async () => {
    await counting.append('a');
    const checkpoint = await counting.laneAtEnd();
    const { store } = counting;
    const ensure = store.ensure.bind(store);
    let other: Promise<unknown> | undefined;
    jest.spyOn(store, 'ensure').mockImplementation(async (definitions) => {
      await ensure(definitions);
      other ??= rebuild().run([counts(2, 10)]);
    });
    await rebuild().prepare([counts(2, 10)], checkpoint, running);
    await other;
    expect(await counting.count('a')).toBe(10);
    expect(await counting.collections()).toEqual([await collection()]);
  });

  test('is taken over from a leader of another version', async () => {
    await counting.append('a');
    const old = counting.leader(1);
    await old.reached();
    await old.runner.stop();
    const current = counting.leader(2, 10);
    await counting.append('a');
    await current.reached();
    expect(await counting.count('a')).toBe(20);
  });
});

describe('D112: after an older build has run in between', () => {
  /** Handles what there is, as a process of this build that starts and stops. */
  const runBuild = async (version = 1) => {
    const { runner, reached } = counting.running(counts(version), 'this build');
    await reached();
    await runner.stop();
  };
  const status = async () => (await readModelStatus([counts(1)], counting.log, counting.store))[0];
  /** It does not know the read model: it moves the checkpoint, and folds nothing. */
  const runOlderBuild = async (list?: Readonly<Record<string, number>>, isNamed = true) => {
    await counting.append('a');
    await counting.append('b');
    const { position, event } = await endOf(counting.log);
    const fence = ((await counting.store.checkpoint(LANE))?.fence ?? 0) + 1;
    const named = event && { ...event, ...(list && { readModels: list }) };
    await counting.store.write([], { name: LANE, position, fence, event: isNamed ? named : undefined });
    await counting.append('b');
  };

  test.each([
    ['names no read models', undefined, true],
    ['names others', { others: 1 }, true],
    ['names another version of it', { counts: 2 }, true],
    ['names not even its event', undefined, false],
  ])('a read model is rebuilt when the checkpoint %s', async (_, list, isNamed) => {
    await counting.append('a');
    await runBuild();
    expect(await status()).toMatchObject({ behind: 0, isMissingEvents: false });
    await runOlderBuild(list, isNamed);
    expect(await status()).toMatchObject({ isMissingEvents: true });
    await runBuild();
    expect(await Promise.all(['a', 'b'].map((what) => counting.count(what)))).toEqual([2, 2]);
    expect(await status()).toMatchObject({ behind: 0, isMissingEvents: false });
    const rebuilt = await collection();
    expect(rebuilt).not.toBe('counts_v1_1');
    await runBuild();
    expect(await collection()).toBe(rebuilt);
  });

  test('a standby rebuilds it too, when it takes over', async () => {
    await counting.append('a');
    const leases = new Leases(counting.store, systemClock, 'older');
    const older = await leases.acquire(WORKER_LEASE, 60_000);
    const { reached } = counting.leader();
    await runOlderBuild();
    if (older !== undefined) await leases.release(older.name);
    await reached();
    expect(await Promise.all(['a', 'b'].map((what) => counting.count(what)))).toEqual([2, 2]);
  });

  test('a comparison leaves the list of the checkpoint as it is', async () => {
    await counting.append('a');
    await runBuild();
    await counting.store.write([{ collection: 'counts_v1_1', put: [{ id: 'stray', position: 1 } as Document] }]);
    const compared = new ReadModelComparison(counting.log, counting.store);
    expect((await compared.run([counts(1)])).differences).toHaveLength(1);
    expect(await rebuild().outdated([counts(1)])).toEqual([]);
  });
});
