import { describe, expect, it } from '@jest/globals';
import { type CreatorId, newEventId, newId, UnfinishedCopy } from '#kernel';
import { Sentinel } from '#personal-data';
import { InMemoryEventLog, InMemoryKeyStore } from '#testing';
import { copyLastSeal, copyStores } from './copy-keys.js';
import { CopyRefused, eventsAfter } from './log-walk.js';

/** Stores in use: whenever a copy begins to read the log, or has read the keys, another creator has been enrolled. */
const storesInUse = () => {
  const enroll = async () => {
    const creatorId = newId('creator');
    await personalKeys.add(new Map([[creatorId, Buffer.from(creatorId)]]));
    const metadata = { at: 1, correlationId: 'req', causationId: null, actor: 'key:test', workspaceId: null };
    const event = { id: newEventId(), type: 'creator.imported.v1', data: { creatorId }, metadata };
    await log.append(`creator-${creatorId}`, 'none', [event]);
  };
  class LogInUse extends InMemoryEventLog {
    override async head() {
      await enroll();
      return super.head();
    }
  }
  class KeysInUse extends InMemoryKeyStore {
    override async *all() {
      yield* super.all();
      await enroll();
    }
  }
  const log = new LogInUse();
  const personalKeys = new KeysInUse();
  return { log, personalKeys, enroll };
};

it('copies stores in use: each creator in the copied log has its key in the copied keys', async () => {
  const source = storesInUse();
  await source.enroll();
  const target = { log: new InMemoryEventLog(), personalKeys: new InMemoryKeyStore() };
  const { log, keys } = await copyStores(source, target);
  expect([log.events, keys.keys]).toEqual([2, 2]);
  const creators = (await Array.fromAsync(eventsAfter(target.log, 0))).map(
    ({ data }) => data as { creatorId: CreatorId },
  );
  const held = (await Array.fromAsync(target.personalKeys.all())).map(([creatorId]) => creatorId);
  expect(held).toEqual(creators.map(({ creatorId }) => creatorId).toSorted());
});

describe('D106: a copy that is interrupted', () => {
  /** As a kill leaves the target: the write fails that many calls after the copy has begun. */
  class Failing extends InMemoryKeyStore {
    calls = Number.POSITIVE_INFINITY;
    override async add(keys: ReadonlyMap<CreatorId, Buffer>) {
      if (this.calls-- <= 0) throw new Error('killed');
      return super.add(keys);
    }
  }
  class FailingLog extends InMemoryEventLog {
    appends = Number.POSITIVE_INFINITY;
    override async append(...[stream, expected, events]: Parameters<InMemoryEventLog['append']>) {
      if (this.appends-- <= 0) throw new Error('killed');
      return super.append(stream, expected, events);
    }
  }
  const KEYS = { current: Buffer.alloc(32), all: [Buffer.alloc(32)] };

  it.each([
    ['in the middle of the log', 1, 9],
    ['before the last keys', 9, 0],
  ])('%s leaves stores that nothing starts with, and is finished by the same command', async (_, appends, calls) => {
    const source = storesInUse();
    await source.enroll();
    await source.enroll();
    await new Sentinel(source.personalKeys, KEYS).make(0);
    const target = { log: new FailingLog(), personalKeys: new Failing() };
    [target.log.appends, target.personalKeys.calls] = [appends, calls];
    await expect(copyStores(source, target)).rejects.toThrow('killed');
    await expect(new Sentinel(target.personalKeys, KEYS).read()).rejects.toThrow(UnfinishedCopy);
    target.log.appends = target.personalKeys.calls = Number.POSITIVE_INFINITY;
    await copyStores(source, target);
    expect(await new Sentinel(target.personalKeys, KEYS).read()).toMatchObject({ index: 0 });
    // A complete copy that is compared, or refused because it has gone on, stays one that is started with.
    await target.log.append('thing-1', 'none', [{ ...THING, id: newEventId() }]);
    await expect(copyStores({ ...source, log: new InMemoryEventLog() }, target)).rejects.toThrow(CopyRefused);
    expect(await target.personalKeys.sentinel()).toEqual(await source.personalKeys.sentinel());
  });

  it('also when it was continued', async () => {
    const source = storesInUse();
    await source.enroll();
    await new Sentinel(source.personalKeys, KEYS).make(0);
    const target = { log: new FailingLog(), personalKeys: new InMemoryKeyStore() };
    await copyStores(source, target);
    target.log.appends = 0;
    await expect(copyStores(source, target)).rejects.toThrow('killed');
    await expect(new Sentinel(target.personalKeys, KEYS).read()).rejects.toThrow(UnfinishedCopy);
  });
});

const THING = {
  type: 'thing.happened.v1',
  data: {},
  metadata: { at: 1, correlationId: 'req', causationId: null, actor: 'key:test', workspaceId: null },
};

const seal = (count: number) => ({ id: `e${count}`, count, root: 'r', signature: `s${count}` });

it('D91: copies what is remembered of the last seal as it was before the log was copied', async () => {
  const source = storesInUse();
  await source.personalKeys.rememberSeal(seal(1), undefined);
  const target = { log: new InMemoryEventLog(), personalKeys: new InMemoryKeyStore() };
  // The source makes a seal during the copy, which the copied log lacks.
  await copyStores(source, target, () => void source.personalKeys.rememberSeal(seal(2), seal(1)));
  expect(await source.personalKeys.lastSeal()).toEqual(seal(2));
  expect(await target.personalKeys.lastSeal()).toEqual(seal(1));
});

it('D91: a repeated copy raises what the target remembers, and never lowers it', async () => {
  const target = new InMemoryKeyStore();
  for (const [copied, remembered] of [
    [undefined, undefined],
    [seal(2), seal(2)],
    [seal(1), seal(2)],
    [undefined, seal(2)],
    [
      { ...seal(2), signature: 'of a new key' },
      { ...seal(2), signature: 'of a new key' },
    ],
    [seal(3), seal(3)],
  ]) {
    await copyLastSeal(copied, target);
    expect(await target.lastSeal()).toEqual(remembered);
  }
});
