import { beforeEach, describe, expect, it } from '@jest/globals';
import { DomainError, HOUR, MINUTE } from '#kernel';
import { agency, linked, mia, miaUser, workspaceId } from '../../../creators/src/domain/creator.fixtures.js';
import { contextOf, type TestedContext, testedContext } from '../../../testing/src/tested-context.js';
import { impersonationIdOf } from '../domain/impersonation.js';
import { MAX_RECORDS_IN_REQUEST } from '../domain/long-list.js';
import { ImpersonationsModule } from '../impersonations.module.js';
import { ImpersonationSynchronization } from './impersonation-synchronization.js';

const creator = { creatorId: mia, agencyId: agency, workspaceId, userId: miaUser };
const streamOf = (nativeId: string) => `impersonation-${impersonationIdOf(workspaceId, mia, nativeId)}` as const;

let service: TestedContext;
beforeEach(async () => {
  service = await testedContext([ImpersonationsModule]);
  await service.creatorDid(mia, ...linked);
});

/** A walk a minute later, of what has been projected by then. */
const walk = async () => {
  service.clock.advance(MINUTE);
  await service.project();
  return service.get(ImpersonationSynchronization).walk(creator, contextOf());
};

describe('a walk of impersonations', () => {
  it('opens what it finds, and appends nothing for what it finds unchanged', async () => {
    service.impostors.put(miaUser, { nativeId: 'a' });
    expect(await walk()).toBe('synchronized');
    const head = await service.log.head();
    expect(await walk()).toBe('synchronized');
    expect(await service.log.head()).toBe(head);
    expect(await service.typesOf(streamOf('a'))).toEqual(['impersonation.opened.v1']);
  });

  it('appends nothing for unchanged records if the read model is still empty', async () => {
    service.impostors.put(miaUser, { nativeId: 'a' });
    await service.get(ImpersonationSynchronization).walk(creator, contextOf());
    await service.get(ImpersonationSynchronization).walk(creator, contextOf());
    expect(await service.typesOf(streamOf('a'))).toEqual(['impersonation.opened.v1']);
  });

  it('observes a removal once, and the return', async () => {
    service.impostors.put(miaUser, { nativeId: 'a' });
    await walk();
    service.impostors.remove(miaUser, 'a');
    await walk();
    await walk();
    service.impostors.put(miaUser, { nativeId: 'a' });
    await walk();
    expect(await service.typesOf(streamOf('a'))).toEqual([
      'impersonation.opened.v1',
      'impersonation.removed.v1',
      'impersonation.restored.v1',
    ]);
  });

  it('counts a refused record as present, and observes the removal of others (D65)', async () => {
    for (const nativeId of ['a', 'b']) service.impostors.put(miaUser, { nativeId });
    await walk();
    for (const nativeId of ['a', 'b']) service.impostors.remove(miaUser, nativeId);
    service.impostors.refused = [{ id: 'a', reason: 'url is not a text' }];
    await walk();
    expect(await service.typesOf(streamOf('a'))).toEqual(['impersonation.opened.v1']);
    expect(await service.typesOf(streamOf('b'))).toEqual(['impersonation.opened.v1', 'impersonation.removed.v1']);
  });

  it('removes nothing if a record has no usable id (D65)', async () => {
    service.impostors.put(miaUser, { nativeId: 'a' });
    await walk();
    service.impostors.remove(miaUser, 'a');
    service.impostors.refused = [{ id: null, reason: 'impersonation_id is not a string' }];
    await walk();
    expect(await service.typesOf(streamOf('a'))).toEqual(['impersonation.opened.v1']);
  });

  it('keeps the earlier pages if the platform fails on a later one, and removes nothing', async () => {
    service.impostors.put(miaUser, { nativeId: 'gone' });
    await walk();
    service.impostors.remove(miaUser, 'gone');
    for (let n = 0; n < 201; n++) service.impostors.put(miaUser, { nativeId: `n${String(n).padStart(3, '0')}` });
    const list = service.impostors.listImpersonations.bind(service.impostors);
    service.impostors.listImpersonations = async (agencyId, userId, page) => {
      if (page.after !== undefined) throw new DomainError('provider_unavailable');
      return list(agencyId, userId, page);
    };
    await expect(walk()).rejects.toThrow('provider_unavailable');
    expect(await service.typesOf(streamOf('n000'))).toEqual(['impersonation.opened.v1']);
    expect(await service.typesOf(streamOf('gone'))).toEqual(['impersonation.opened.v1']);
  });

  it('does not restore a record that it read before another walk removed it', async () => {
    service.impostors.put(miaUser, { nativeId: 'a' });
    await walk();
    const list = service.impostors.listImpersonations.bind(service.impostors);
    service.impostors.listImpersonations = async (agencyId, userId, page) => {
      const seen = await list(agencyId, userId, page);
      service.impostors.listImpersonations = list;
      service.impostors.remove(miaUser, 'a');
      await walk();
      await service.project();
      return seen;
    };
    await walk();
    expect(await service.typesOf(streamOf('a'))).toEqual(['impersonation.opened.v1', 'impersonation.removed.v1']);
  });
});

describe('a list that is too long for a request (D80)', () => {
  const isLeftToWorker = async (context = contextOf()) =>
    service.get(ImpersonationSynchronization).isLeftToWorker(mia, context);
  const put = (count: number) => {
    for (let n = 0; n < count; n++) service.impostors.put(miaUser, { nativeId: `n${n}` });
  };

  it('is left to the worker after its walk, and answers wait for everything that the walk recorded', async () => {
    put(MAX_RECORDS_IN_REQUEST + 1);
    expect(await isLeftToWorker()).toBe(false);
    await walk();
    const context = contextOf();
    expect(await isLeftToWorker(context)).toBe(true);
    expect(context.consistencyToken.position).toBe(await service.log.head());
  });

  it('is left to the worker only after a walk of the worker, not after one within a request', async () => {
    put(MAX_RECORDS_IN_REQUEST + 1);
    await service.get(ImpersonationSynchronization).withinRequest(creator, contextOf(), new AbortController().signal);
    expect(await isLeftToWorker()).toBe(false);
  });

  it('is read within the request if the last walk of the worker is too old', async () => {
    put(MAX_RECORDS_IN_REQUEST + 1);
    await walk();
    service.clock.advance(HOUR + 1);
    expect(await isLeftToWorker()).toBe(false);
  });
});
