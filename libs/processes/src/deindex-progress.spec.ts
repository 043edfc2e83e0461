import { beforeEach, describe, expect, it } from '@jest/globals';
import { caseDecider, caseIdOf, observeLeak } from '#cases';
import { Deindexing } from '#deindexing';
import { DAY, DomainError, derivedId, HOUR, MINUTE, SECOND, streamName } from '#kernel';
import { FakeSearch } from '#testing';
import { agency, imported, mia, miaUser, native, workspaceId } from '../../creators/src/creator.examples.js';
import { DeindexProgress } from './deindex-progress.js';
import { aService, claimed, contextOf, owner, type Service, scope } from './service.examples.js';

const EVERY = 5 * MINUTE;
const TIMEOUT = 5 * SECOND;
const requestId = derivedId('deindexRequest', agency, 'k1');

let service: Service;
let search: FakeSearch;
let deindexing: Deindexing;
let process: DeindexProgress;

beforeEach(async () => {
  service = await aService();
  search = new FakeSearch();
  deindexing = new Deindexing(service.runner, service.creators, search);
  process = new DeindexProgress(service.creators, deindexing, service.access, {
    pollEvery: EVERY,
    providerTimeout: TIMEOUT,
  });
  service.platform.users.set(miaUser, native());
  await service.creatorDid(mia, ...imported);
  const caseId = caseIdOf(workspaceId, mia, 'leak-1');
  const leak = {
    leakId: 'leak-1',
    url: 'https://leaks.example/1',
    status: 'Detected',
    statusCode: 'detected',
    actionable: true,
    deadOnArrival: false,
    createdAt: 1,
    updatedAt: 1,
    jobId: 'job-1',
  };
  const observation = { caseId, creatorId: mia, workspaceId, leak, scanId: derivedId('scan', 'one'), askedAt: 1 };
  await service.runner.run(caseDecider, caseId, contextOf(), (state) => observeLeak(state, observation));
  await deindexing.request(caseId, scope, 'k1', contextOf());
});

const step = () => process.handle(claimed('deindex', requestId), service.clock.now());
const later = (wait: number) => {
  service.clock.advance(wait);
  return step();
};
const history = async () =>
  (await service.typesOf(streamName('deindexRequest', requestId))).map((type) =>
    type.replace(/^deindexRequest\.|\.v1$/g, ''),
  );

describe('a deindex request', () => {
  it('is handed over, and looked at soon at first, then ever less often, at least every so often', async () => {
    const began = service.clock.now();
    expect(await step()).toEqual({ again: began + SECOND });
    expect(await history()).toEqual(['requested', 'dispatching', 'accepted']);
    expect(await later(8 * SECOND)).toEqual({ again: began + 16 * SECOND });
    expect(await later(HOUR)).toEqual({ again: service.clock.now() + EVERY });
    expect(search.orders).toHaveLength(1);
  });

  it('that is never settled is looked at once a day in the end', async () => {
    await step();
    const pauseAt = async (wait: number) => {
      const after = await later(wait);
      return after === 'moved_on' ? after : after.again - service.clock.now();
    };
    expect(await pauseAt(4 * DAY - SECOND)).toBe(EVERY);
    expect(await pauseAt(SECOND)).toBe(4 * HOUR);
    expect(await pauseAt(365 * DAY)).toBe(DAY);
  });

  it('is done with once it is settled', async () => {
    await step();
    search.progress(requestId, { status: 'removed', submittedToProvider: true });
    expect(await later(SECOND)).toMatchObject({ again: expect.any(Number) });
    search.progress(requestId, { status: 'removed', removalVerified: true });
    expect(await later(SECOND)).toBe('moved_on');
    search.lookups = 0;
    expect(await later(HOUR)).toBe('moved_on');
    expect(search.lookups).toBe(0);
    expect(await history()).toEqual(['requested', 'dispatching', 'accepted', 'completed', 'completed']);
  });

  it('of unknown outcome is settled by its reference, under the same key', async () => {
    search.failNext({ outcome: 'lost', arrived: true });
    await expect(step()).rejects.toBeInstanceOf(DomainError);
    expect(await later(SECOND)).toMatchObject({ again: expect.any(Number) });
    expect(await history()).toEqual(['requested', 'dispatching', 'uncertain', 'accepted']);
    expect(search.orders).toHaveLength(1);
  });

  it('whose call was begun by somebody who died waits until that call can not be under way any more', async () => {
    const data = { requestId, caseId: caseIdOf(workspaceId, mia, 'leak-1'), creatorId: mia };
    const { at } = await begun(data);
    expect(await step()).toEqual({ again: at + 2 * TIMEOUT });
    expect([search.lookups, search.orders.length]).toEqual([0, 0]);
    await later(2 * TIMEOUT);
    expect(await history()).toEqual(['requested', 'dispatching', 'uncertain', 'accepted']);
    expect([search.lookups, search.orders.length]).toEqual([1, 1]);
  });

  it('D19: is put off while the agency is denied', async () => {
    service.directory.put({
      id: agency,
      name: 'Lumen',
      onboardingComplete: true,
      kycApproved: false,
      ownerUserId: owner,
    });
    expect(await step()).toEqual({ again: service.clock.now() + MINUTE });
    expect(search.orders).toEqual([]);
    service.directory.put({
      id: agency,
      name: 'Lumen',
      onboardingComplete: true,
      kycApproved: true,
      ownerUserId: owner,
    });
    await step();
    expect(search.orders).toHaveLength(1);
  });

  it('D9: is put off while the creator is no member', async () => {
    await service.creators.recordMissing(mia, contextOf());
    expect(await step()).toEqual({ again: service.clock.now() + EVERY });
    expect(search.orders).toEqual([]);
    const began = await service.creators.place(mia);
    await service.creators.recordSeen(mia, native(), contextOf(), { began });
    await step();
    expect(search.orders).toHaveLength(1);
  });

  it('that nobody has made is nothing to do', async () => {
    const item = claimed('deindex', derivedId('deindexRequest', 'none'));
    expect(await process.handle(item, service.clock.now())).toBe('moved_on');
  });
});

/** The intent alone, as a crash before the call leaves it. */
const begun = async (data: object) => {
  const { log, clock } = service;
  const at = clock.now();
  const stream = streamName('deindexRequest', requestId);
  const { trail: _, ...metadata } = contextOf();
  const event = { id: '019b0000-0000-7000-8000-000000000001', type: 'deindexRequest.dispatching.v1', data };
  await log.append(stream, 0, [{ ...event, metadata: { ...metadata, at } }]);
  return { at };
};
