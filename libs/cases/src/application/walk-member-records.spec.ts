import { beforeEach, describe, expect, it } from '@jest/globals';
import { Memberships } from '#creators';
import { DomainError, type Duration, MINUTE, SECOND } from '#kernel';
import {
  agency,
  fact,
  invited,
  linked,
  mia,
  miaUser,
  workspaceId,
} from '../../../creators/src/domain/creator.fixtures.js';
import { ImpersonationList } from '../../../impersonations/src/read-models/impersonation-list.js';
import { contextOf, owner, type TestedContext, testedContext } from '../../../testing/src/tested-context.js';
import { CasesModule } from '../cases.module.js';
import { CasesOptions } from '../cases.options.js';
import { caseIdOf } from '../domain/case.js';
import { CaseList } from '../read-models/case-list.js';
import { CaseSynchronization } from './case-synchronization.js';
import { WalkMemberRecords } from './walk-member-records.js';

let service: TestedContext;

beforeEach(async () => {
  service = await testedContext([CasesModule]);
});

const execute = () => service.commands.execute(new WalkMemberRecords(mia, contextOf()));

/** A walk some time after all that came before it was recorded, and projected. */
const walk = async () => {
  service.clock.advance(MINUTE);
  await service.project();
  try {
    return await execute();
  } finally {
    await service.project();
  }
};
const found = async () => {
  const { items } = await service.get(CaseList).page(mia, { limit: 1_000 });
  return Object.fromEntries(items.map(({ leakId, available }) => [leakId, available]));
};

/** The platform answers late with a page of leaks. */
const takingForEachPage = (time: Duration) => {
  const listLeaks = service.leaks.listLeaks.bind(service.leaks);
  service.leaks.listLeaks = async (...asked: Parameters<typeof listLeaks>) => {
    service.clock.advance(time);
    return listLeaks(...asked);
  };
};

/** The creator is erased while the platform answers with its records. */
const eraseWhileRead = () => {
  const listLeaks = service.leaks.listLeaks.bind(service.leaks);
  service.leaks.listLeaks = async (...asked: Parameters<typeof listLeaks>) => {
    const page = await listLeaks(...asked);
    await service.creatorDid(mia, fact('membershipEnded', {}), fact('personalDataErased', {}));
    return page;
  };
};

describe('a walk (D50)', () => {
  beforeEach(async () => {
    await service.creatorDid(mia, ...linked);
    for (const leakId of ['l1', 'l2', 'l3']) service.leaks.put(miaUser, { leakId });
  });

  it('confirms the membership to all processes for 60 seconds after it began (D78)', async () => {
    takingForEachPage(30 * SECOND);
    await walk();
    const elsewhere = new Memberships(service.documents);
    const began = service.clock.now() - 30 * SECOND;
    expect(await elsewhere.isConfirmed(mia, began + MINUTE - 1)).toBe(true);
    expect(await elsewhere.isConfirmed(mia, began + MINUTE)).toBe(false);
  });

  it('confirms it, as each synchronization does, to this process for 60 seconds after it asked for the page (D78)', async () => {
    takingForEachPage(30 * SECOND);
    const asked = service.clock.now();
    await service
      .get(CaseSynchronization)
      .recent({ creatorId: mia, agencyId: agency, workspaceId, userId: miaUser }, contextOf());
    expect(await service.memberships.isConfirmed(mia, asked + MINUTE - 1)).toBe(true);
    expect(await service.memberships.isConfirmed(mia, asked + MINUTE)).toBe(false);
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

  it('D72: records nothing of a creator that is erased while its records are read, and nothing more of it later', async () => {
    eraseWhileRead();
    await expect(walk()).rejects.toThrow(new DomainError('not_found'));
    expect(await found()).toEqual({});
    expect(await walk()).toBe('idle');
    expect(await service.typesOf(`case-${caseIdOf(workspaceId, mia, 'l1')}`)).toEqual([]);
  });

  it('makes later reads wait for what it has just recorded', async () => {
    await walk();
    service.leaks.put(miaUser, { leakId: 'l4' });
    service.clock.advance(10 * MINUTE);
    await execute();
    const recorded = await service.log.head();
    const creator = { creatorId: mia, agencyId: agency, workspaceId, userId: miaUser };
    for (const context of [contextOf(), contextOf()]) {
      await service.get(CaseSynchronization).recent(creator, context);
      expect(context.consistencyToken.position).toBe(recorded);
    }
  });

  it('does not remove a case that was opened while it ran', async () => {
    const { leaks } = service;
    const listLeaks = leaks.listLeaks.bind(leaks);
    leaks.listLeaks = async (agencyId, userId, page) => {
      const seen = await listLeaks(agencyId, userId, page);
      leaks.put(miaUser, { leakId: 'late' });
      leaks.listLeaks = listLeaks;
      await service.get(CaseSynchronization).recent({ creatorId: mia, agencyId, workspaceId, userId }, contextOf());
      await service.project();
      return seen;
    };
    await walk();
    expect(await found()).toMatchObject({ late: true });
  });

  it('counts a refused record as present, and observes the removal of others (D65)', async () => {
    await walk();
    service.leaks.remove(miaUser, 'l1');
    service.leaks.remove(miaUser, 'l2');
    service.leaks.refused = [{ id: 'l2', reason: 'url is not a text' }];
    await walk();
    expect(await found()).toMatchObject({ l1: false, l2: true });
  });

  it('observes no removal if a record has no usable id, and records the others (D65)', async () => {
    await walk();
    service.leaks.remove(miaUser, 'l2');
    service.leaks.put(miaUser, { leakId: 'l4' });
    service.leaks.refused = [{ id: null, reason: 'leak_id is not a string' }];
    await walk();
    expect(await found()).toMatchObject({ l2: true, l4: true });
    service.leaks.refused = [];
    await walk();
    expect(await found()).toMatchObject({ l2: false });
  });

  it('D80: ends where the cursors of the platform repeat, and observes no removal', async () => {
    await walk();
    service.leaks.remove(miaUser, 'l2');
    let asked = 0;
    service.leaks.listLeaks = async () => ({ leaks: [], refused: [], nextCursor: ['a', 'b', 'c'][asked++ % 3] ?? 'a' });
    await expect(walk()).rejects.toMatchObject({ code: 'provider_invalid_response' });
    expect(asked).toBe(4);
    expect(await found()).toMatchObject({ l2: true });
  });

  it('is postponed for a denied agency, and reads nothing', async () => {
    service.directory.put({ id: agency, name: '', onboardingComplete: true, kycStatus: 'pending', ownerUserId: owner });
    expect(await walk()).toEqual({ retryAt: service.clock.now() + MINUTE });
    expect(service.leaks.reads).toEqual([]);
  });
});

describe('the impersonations of a creator (D54)', () => {
  const impostors = async () => {
    const { items } = await service.get(ImpersonationList).page(mia, { limit: 1_000 });
    return items.map(({ available }) => available);
  };
  beforeEach(async () => {
    await service.creatorDid(mia, ...linked);
    service.leaks.join(miaUser);
    service.impostors.put(miaUser, { nativeId: 'mia.rose' });
  });

  it('are walked too, and their removal is observed', async () => {
    await walk();
    expect(await impostors()).toEqual([true]);
    service.impostors.remove(miaUser, 'mia.rose');
    await walk();
    expect(await impostors()).toEqual([false]);
  });

  it('make the creator missing if the platform does not show them, and none is removed', async () => {
    await walk();
    service.impostors.leave(miaUser);
    expect(await walk()).toEqual({ retryAt: service.clock.now() + service.get(CasesOptions).walkEvery });
    expect((await service.creators.recorded(mia)).state).toMatchObject({ membership: { status: 'missing' } });
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

  it('is missing, and none of its cases is removed', async () => {
    expect(await walk()).toEqual({ retryAt: service.clock.now() + service.get(CasesOptions).walkEvery });
    expect((await service.creators.recorded(mia)).state).toMatchObject({ membership: { status: 'missing' } });
    expect(await found()).toEqual({ l1: true });
  });

  it('has left at the next walk, and is not walked again', async () => {
    await walk();
    await walk();
    expect((await service.creators.recorded(mia)).state).toMatchObject({ membership: { status: 'ended' } });
    const { length } = service.leaks.reads;
    expect(await walk()).toBe('idle');
    expect(service.leaks.reads).toHaveLength(length);
  });
});

it.each([
  ['that it does not know', []],
  ['that is only invited', invited],
  ['that has left', [...linked, fact('membershipEnded', {})]],
])('has nothing to walk for a creator %s', async (_, past) => {
  await service.creatorDid(mia, ...past);
  expect(await walk()).toBe('idle');
  expect(service.leaks.reads).toEqual([]);
});
