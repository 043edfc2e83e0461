import { beforeEach, describe, expect, it } from '@jest/globals';
import { caseIdOf } from '#cases';
import { DomainError, type DueHandler, MINUTE } from '#kernel';
import { agency, fact, invited, linked, mia, miaUser, workspaceId } from '../../creators/src/creator.examples.js';
import { caseWalks } from './case-walks.js';
import { aService, claimed, contextOf, owner, type Service } from './service.examples.js';

const EVERY = 15 * MINUTE;

let service: Service;
let walks: DueHandler;

beforeEach(async () => {
  service = await aService();
  walks = caseWalks(service.creators, service.cases, service.impersonations, service.access, EVERY);
});

/** A walk some time after all that came before it was recorded, and projected. */
const walk = async () => {
  service.clock.advance(MINUTE);
  await service.project();
  try {
    return await walks.handle(claimed('caseWalk', mia), service.clock.now());
  } finally {
    await service.project();
  }
};
const found = async () => {
  const rows = await service.caseList.ofCreator(mia, { limit: 1_000 });
  return Object.fromEntries(rows.map(({ leakId, available }) => [leakId, available]));
};

describe('a walk (D50)', () => {
  beforeEach(async () => {
    await service.creatorDid(mia, ...linked);
    for (const leakId of ['l1', 'l2', 'l3']) service.leaks.put(miaUser, { leakId });
  });

  it('finds every record, and is due again after its time', async () => {
    expect(await walk()).toEqual({ again: service.clock.now() + EVERY });
    expect(await found()).toEqual({ l1: true, l2: true, l3: true });
  });

  it('reads all records, however long ago they changed, page after page', async () => {
    for (let n = 0; n < 450; n++) service.leaks.put(miaUser, { leakId: `m${n}` });
    await walk();
    expect(Object.keys(await found())).toHaveLength(453);
    await walk();
    expect(service.leaks.reads.every(({ updatedSince }) => updatedSince === undefined)).toBe(true);
  });

  it('observes that a record is gone, once, and that it came back', async () => {
    await walk();
    service.leaks.remove(miaUser, 'l2');
    await walk();
    await walk();
    expect(await found()).toEqual({ l1: true, l2: false, l3: true });
    service.leaks.put(miaUser, { leakId: 'l2' });
    await walk();
    expect(await service.typesOf(`case-${caseIdOf(workspaceId, mia, 'l2')}`)).toEqual([
      'case.opened.v1',
      'case.removed.v1',
      'case.restored.v1',
    ]);
  });

  it('is not behind the back of who reads next: what it has just recorded, that one waits for', async () => {
    await walk();
    service.leaks.put(miaUser, { leakId: 'l4' });
    service.clock.advance(10 * MINUTE);
    await walks.handle(claimed('caseWalk', mia), service.clock.now());
    const recorded = await service.log.head();
    const creator = { creatorId: mia, agencyId: agency, workspaceId, userId: miaUser };
    for (const context of [contextOf(), contextOf()]) {
      await service.cases.recent(creator, context);
      expect(context.trail.position).toBe(recorded);
    }
  });

  it('of unchanged records appends nothing', async () => {
    await walk();
    const head = await service.log.head();
    await walk();
    expect(await service.log.head()).toBe(head);
  });

  it('says nothing of what was found while it was under way', async () => {
    const { leaks } = service;
    const listLeaks = leaks.listLeaks.bind(leaks);
    leaks.listLeaks = async (agencyId, userId, page) => {
      const seen = await listLeaks(agencyId, userId, page);
      leaks.put(miaUser, { leakId: 'late' });
      leaks.listLeaks = listLeaks;
      await service.cases.recent({ creatorId: mia, agencyId, workspaceId, userId }, contextOf());
      await service.project();
      return seen;
    };
    await walk();
    expect(await found()).toMatchObject({ late: true });
  });

  it('that the platform breaks off observes no removal', async () => {
    await walk();
    service.leaks.remove(miaUser, 'l2');
    service.leaks.failure = new DomainError('provider_timeout');
    await expect(walk()).rejects.toThrow('provider_timeout');
    expect(await found()).toMatchObject({ l2: true });
  });

  it('waits for an agency that is denied, and reads nothing', async () => {
    service.directory.put({ id: agency, name: '', onboardingComplete: true, kycApproved: false, ownerUserId: owner });
    expect(await walk()).toEqual({ again: service.clock.now() + MINUTE });
    expect(service.leaks.reads).toEqual([]);
  });
});

describe('the impersonations of a creator (D54)', () => {
  const impostors = async () => {
    const rows = await service.impersonationList.ofCreator(mia, { limit: 1_000 });
    return rows.map(({ available }) => available);
  };
  beforeEach(async () => {
    await service.creatorDid(mia, ...linked);
    service.leaks.join(miaUser);
    service.impostors.put(miaUser, { nativeId: 'mia.rose' });
  });

  it('are walked too, and what is gone is observed', async () => {
    await walk();
    expect(await impostors()).toEqual([true]);
    service.impostors.remove(miaUser, 'mia.rose');
    await walk();
    expect(await impostors()).toEqual([false]);
  });

  it('that the platform does not show make the creator missing, and conclude nothing', async () => {
    await walk();
    service.impostors.leave(miaUser);
    expect(await walk()).toEqual({ again: service.clock.now() + EVERY });
    expect(await service.creators.load(mia)).toMatchObject({ membership: { status: 'missing' } });
    expect(await impostors()).toEqual([true]);
  });
});

describe('a creator that the platform does not show', () => {
  beforeEach(async () => {
    await service.creatorDid(mia, ...linked);
    service.leaks.put(miaUser, { leakId: 'l1' });
    await walk();
    service.leaks.leave(miaUser);
  });

  it('is missing, and nothing is concluded about its cases', async () => {
    expect(await walk()).toEqual({ again: service.clock.now() + EVERY });
    expect(await service.creators.load(mia)).toMatchObject({ membership: { status: 'missing' } });
    expect(await found()).toEqual({ l1: true });
  });

  it('has left at the next walk, and is walked no more', async () => {
    await walk();
    await walk();
    expect(await service.creators.load(mia)).toMatchObject({ membership: { status: 'ended' } });
    const { length } = service.leaks.reads;
    expect(await walk()).toBe('moved_on');
    expect(service.leaks.reads).toHaveLength(length);
  });
});

it.each([
  ['that it does not know', []],
  ['that is only invited', invited],
  ['that has left', [...linked, fact('membershipEnded', {})]],
])('has nothing to walk for a creator %s', async (_, past) => {
  await service.creatorDid(mia, ...past);
  expect(await walk()).toBe('moved_on');
  expect(service.leaks.reads).toEqual([]);
});
