import { beforeEach, describe, expect, it } from '@jest/globals';
import { type CreatorId, DomainError } from '#kernel';
import { miaUser, native } from '../../domain/creator.fixtures.js';
import { linkOfMia, type Stage, stage } from '../../stage.fixtures.js';

const timeout = { outcome: 'unknown', error: new DomainError('provider_timeout') } as const;
const nonsense = { outcome: 'unknown', error: new DomainError('provider_invalid_response') } as const;

let s: Stage;
let mia: CreatorId;
const loaded = async () => (await s.creators.recorded(mia)).state;
const look = () => s.observeCreator(mia, s.scope, s.context);
const readRoster = () => s.observeRoster(s.scope, { limit: 10 }, s.context);
const enrollAgain = () => s.linkCreator(s.scope, linkOfMia, s.context);
const pause = () => s.pauseProtection(mia, s.scope, s.context);
const update = () => s.updateCreator(mia, s.scope, { aliases: ['mia'] }, s.context);

beforeEach(async () => {
  s = await stage();
  s.platform.users.set(miaUser, native());
  mia = (await s.linkCreator(s.scope, linkOfMia, s.context)).creator.creatorId;
  await s.activateProtection(mia, s.scope, s.context);
  await s.creators.reportMissing(mia, s.context);
  s.platform.slots.clear();
  s.platform.calls.length = 0;
});

describe('an active creator that was missing and is seen again (D77)', () => {
  const reads: [string, () => Promise<unknown>][] = [
    ['a read', look],
    ['a page of the roster', readRoster],
    ['a repeated enrollment', enrollAgain],
    ['an update', update],
  ];

  it.each(reads)('has its slot occupied before %s shows it', async (_how, read) => {
    await read();
    expect([...s.platform.slots]).toEqual([miaUser]);
    expect(await loaded()).toMatchObject({
      membership: { status: 'current' },
      protection: { status: 'active' },
      slot: { isWanted: true, isConfirmed: true },
    });
  });

  it.each(reads)('is not shown by %s while the outcome is unknown, and the next one settles it', async (_how, read) => {
    s.platform.outcomes.set('occupySlot', timeout);
    await expect(read()).rejects.toMatchObject({ code: 'provider_timeout' });
    expect(await loaded()).toMatchObject({
      membership: { status: 'missing' },
      slot: { isWanted: true, isConfirmed: false },
    });
    await read();
    expect(await loaded()).toMatchObject({
      membership: { status: 'current' },
      slot: { isWanted: true, isConfirmed: true },
    });
  });

  it('is read once by a repeated enrollment', async () => {
    await enrollAgain();
    expect(s.platform.calls).toEqual(['getCreator', 'occupySlot']);
  });

  it('is 503 where the platform answers nonsense', async () => {
    s.platform.outcomes.set('occupySlot', nonsense);
    await expect(look()).rejects.toMatchObject({ code: 'provider_unavailable' });
  });

  it.each(reads)('is paused and shown by %s where the platform refuses the slot', async (_how, read) => {
    s.platform.outcomes.set('occupySlot', { outcome: 'refused', code: 'capacity_reached' });
    await read();
    expect(await loaded()).toMatchObject({ membership: { status: 'current' }, protection: { status: 'paused' } });
    const events = await s.log.readStream(`creator-${mia}`);
    expect(events.find(({ type }) => type === 'creator.protectionPaused.v1')?.data).toEqual({ reason: 'slot_lost' });
  });

  it('is paused and stays hidden where the platform says that it is no member', async () => {
    s.platform.outcomes.set('occupySlot', { outcome: 'refused', code: 'not_found' });
    await expect(look()).rejects.toMatchObject({ code: 'not_found' });
    expect(await loaded()).toMatchObject({ membership: { status: 'missing' }, protection: { status: 'paused' } });
    expect(await look()).toMatchObject({ membership: { status: 'current' } });
  });

  it('is paused by a request that occupies its slot first', async () => {
    expect(await pause()).toMatchObject({ protection: { status: 'paused' } });
    expect(s.platform.calls).toEqual(['getCreator', 'occupySlot', 'releaseSlot']);
  });

  it('gives its slot back to a pause immediately, however often it was asked for before (D42)', async () => {
    for (let reading = 0; reading < 2; reading++) {
      s.platform.outcomes.set('occupySlot', timeout);
      await expect(look()).rejects.toMatchObject({ code: 'provider_timeout' });
      s.clock.advance(1_000);
    }
    await look();
    expect(await pause()).toMatchObject({
      protection: { status: 'paused' },
      slot: { isWanted: false, isConfirmed: true },
    });
  });

  it('is shown once by reads that come together', async () => {
    await Promise.all([look(), look(), readRoster(), look()]);
    const types = (await s.log.readStream(`creator-${mia}`)).map(({ type }) => type);
    expect(types.filter((type) => type === 'creator.memberFound.v1')).toHaveLength(1);
  });

  it('is left to the task by the walk of a worker', async () => {
    expect((await s.walkRoster(s.scope, { limit: 10 }, s.context)).creators).toEqual([]);
    expect(s.platform.calls).toEqual(['listRoster']);
    expect(await loaded()).toMatchObject({ slot: { isWanted: true, isConfirmed: false } });
  });
});
