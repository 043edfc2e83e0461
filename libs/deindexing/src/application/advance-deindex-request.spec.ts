import { beforeEach, describe, expect, it } from '@jest/globals';
import { DomainError, HOUR, MINUTE, newEventId, SECOND, streamName } from '#kernel';
import type { FakeSearch } from '#testing';
import { CreatorRepository } from '../../../creators/src/application/access/creator.repository.js';
import { agency, fact, mia, miaUser, native } from '../../../creators/src/domain/creator.fixtures.js';
import { observeMember } from '../../../creators/src/domain/membership/observation.js';
import { contextOf, owner, type TestedContext } from '../../../testing/src/tested-context.js';
import { caseId, requestedDeindexing, requestId } from '../deindexing.fixtures.js';
import type { DeindexRequest } from '../domain/deindex-request.js';
import { AdvanceDeindexRequest } from './advance-deindex-request.js';
import type { DeindexRequestRepository } from './deindex-request.repository.js';

const EVERY = 5 * MINUTE;
const TIMEOUT = 5 * SECOND;

let service: TestedContext;
let search: FakeSearch;
let requests: DeindexRequestRepository;
let shown: () => Promise<DeindexRequest>;

beforeEach(async () => {
  const options = { pollEvery: EVERY, providerTimeout: TIMEOUT };
  ({ service, search, requests, shown } = await requestedDeindexing(options));
});

const step = () => service.commands.execute(new AdvanceDeindexRequest(requestId, contextOf()));
const later = (wait: number) => {
  service.clock.advance(wait);
  return step();
};
const history = async () =>
  (await service.typesOf(streamName('deindexRequest', requestId))).map((type) =>
    type.replace(/^deindexRequest\.|\.v1$/g, ''),
  );

describe('a deindex request', () => {
  it('is submitted once, and then looked up', async () => {
    expect(await step()).toEqual({ retryAt: service.clock.now() + SECOND });
    expect(await history()).toEqual(['requested', 'dispatchStarted', 'accepted']);
    const order = { reference: requestId, agencyId: agency, userId: miaUser, leakId: 'leak-1' };
    expect(search.calls).toEqual([{ ...order, url: 'https://leaks.example/leak-1' }]);
    await later(8 * SECOND);
    await later(HOUR);
    expect([search.calls.length, search.lookups]).toEqual([1, 2]);
  });

  it('needs no further step after it is settled', async () => {
    await step();
    search.progress(requestId, { status: 'removed', submittedToProvider: true });
    expect(await later(SECOND)).toEqual({ retryAt: service.clock.now() + SECOND });
    expect(await shown()).toMatchObject({ status: 'completed', removalVerified: false });
    search.progress(requestId, { status: 'removed', removalVerified: true });
    expect(await later(SECOND)).toBe('done');
    search.lookups = 0;
    expect(await later(HOUR)).toBe('idle');
    expect(search.lookups).toBe(0);
    expect(await history()).toEqual(['requested', 'dispatchStarted', 'accepted', 'completed', 'completed']);
  });

  it('of unknown outcome is settled by its reference, under the same key', async () => {
    search.failNext({ outcome: 'lost', arrived: true });
    await expect(step()).rejects.toBeInstanceOf(DomainError);
    const { clock } = service;
    expect(await later(SECOND)).toEqual({ retryAt: clock.now() - SECOND + 2 * TIMEOUT });
    expect(search.lookups).toBe(0);
    expect(await later(2 * TIMEOUT - SECOND)).toEqual({ retryAt: clock.now() + 2 * TIMEOUT });
    expect(await shown()).toMatchObject({ status: 'queued' });
    expect(await history()).toEqual(['requested', 'dispatchStarted', 'outcomeLost', 'accepted']);
    expect(search.calls).toHaveLength(1);
  });

  it('D19: is postponed while the agency is denied', async () => {
    const verified = { id: agency, name: 'Lumen', onboardingComplete: true, ownerUserId: owner };
    service.directory.put({ ...verified, kycStatus: 'pending' });
    expect(await step()).toEqual({ retryAt: service.clock.now() + MINUTE });
    expect(search.calls).toEqual([]);
    service.directory.put({ ...verified, kycStatus: 'approved' });
    await step();
    expect(search.calls).toHaveLength(1);
  });

  it('D79: waits where this worker has no provider, and nothing is marked as dispatching', async () => {
    search.configured = false;
    expect(await step()).toEqual({ retryAt: service.clock.now() + MINUTE });
    expect(await history()).toEqual(['requested']);
    search.configured = true;
    await step();
    expect(await history()).toEqual(['requested', 'dispatchStarted', 'accepted']);
  });

  it('D47: whose intent another worker records first is submitted only by that one', async () => {
    const request = await requests.load(requestId);
    const { consistencyToken: _, ...metadata } = { ...contextOf(), at: service.clock.now() };
    const data = { requestId, caseId, creatorId: mia };
    const intent = { id: newEventId(), type: 'deindexRequest.dispatchStarted.v1', data, metadata };
    await service.log.append(streamName('deindexRequest', requestId), 0, [intent]);
    requests.load = async () => request;
    expect(await step()).toBe('done');
    expect(search.calls).toEqual([]);
  });

  it('D9: is postponed while the creator is no member', async () => {
    await service.creators.reportMissing(mia, contextOf());
    expect(await step()).toEqual({ retryAt: service.clock.now() + EVERY });
    expect(search.calls).toEqual([]);
    await service.get(CreatorRepository).update(mia, contextOf(), (state) => observeMember(state, native(), null));
    await step();
    expect(search.calls).toHaveLength(1);
  });
});

describe('a deindex request of a creator that has left (D51)', () => {
  const leave = () => service.creatorDid(mia, fact('memberNotFound', {}), fact('membershipEnded', {}));

  it('is cancelled if it was not dispatched, also while the agency is denied', async () => {
    service.directory.put({
      id: agency,
      name: 'L',
      onboardingComplete: true,
      kycStatus: 'pending',
      ownerUserId: owner,
    });
    await leave();
    expect(await step()).toBe('done');
    expect(await shown()).toMatchObject({ status: 'cancelled', errorCode: 'membership_ended' });
    expect(await step()).toBe('idle');
    expect([search.lookups, search.calls.length]).toEqual([0, 0]);
  });

  it('is cancelled with another reason if its data was erased (D72)', async () => {
    await leave();
    await service.creatorDid(mia, fact('personalDataErased', {}));
    await step();
    expect(await shown()).toMatchObject({ status: 'cancelled', errorCode: 'personal_data_erased' });
  });

  it('is not sent again where it leaves during the lookup', async () => {
    search.failNext({ outcome: 'lost', arrived: false });
    await expect(step()).rejects.toBeInstanceOf(DomainError);
    const sent = search.calls.length;
    const find = search.find.bind(search);
    search.find = async (reference) => {
      await leave();
      return find(reference);
    };
    expect(await later(2 * TIMEOUT)).toMatchObject({ retryAt: expect.any(Number) });
    expect(search.calls).toHaveLength(sent);
    expect(await shown()).toMatchObject({ status: 'uncertain' });
  });

  it("follows the provider's answer if it was dispatched", async () => {
    await step();
    await leave();
    search.progress(requestId, { status: 'submitted', submittedToProvider: true });
    expect(await later(SECOND)).toEqual({ retryAt: service.clock.now() + SECOND });
    expect(await shown()).toMatchObject({ status: 'submitted', submittedToProvider: true });
    search.progress(requestId, { status: 'rejected' });
    expect(await later(EVERY)).toBe('done');
    expect(await shown()).toMatchObject({ status: 'rejected' });
  });

  it('is not dispatched again, and fails after 72 hours with an unknown outcome', async () => {
    search.failNext({ outcome: 'lost', arrived: false });
    await expect(step()).rejects.toBeInstanceOf(DomainError);
    await leave();
    expect(await later(2 * TIMEOUT)).toEqual({ retryAt: service.clock.now() + 2 * TIMEOUT });
    expect(await shown()).toMatchObject({ status: 'uncertain' });
    search.failure = new DomainError('provider_unavailable');
    await expect(later(HOUR)).rejects.toBeInstanceOf(DomainError);
    await expect(later(71 * HOUR)).rejects.toBeInstanceOf(DomainError);
    expect(await shown()).toMatchObject({ status: 'failed', errorCode: 'outcome_unknown' });
    expect(search.calls).toHaveLength(1);
    expect(await step()).toBe('idle');
  });

  it('is followed on when it is removed and not verified, so that the creator sees it verified on its return', async () => {
    await step();
    await leave();
    search.progress(requestId, { status: 'removed' });
    expect(await later(SECOND)).toEqual({ retryAt: service.clock.now() + SECOND });
    expect(await shown()).toMatchObject({ status: 'completed', removalVerified: false });
    await service.get(CreatorRepository).update(mia, contextOf(), (state) => observeMember(state, native(), null));
    search.progress(requestId, { status: 'removed', removalVerified: true });
    expect(await later(SECOND)).toBe('done');
    expect(await shown()).toMatchObject({ status: 'completed', removalVerified: true });
  });

  it("follows the provider's answer if it was dispatched and the data was erased (D51, D72)", async () => {
    await step();
    await leave();
    await service.creatorDid(mia, fact('personalDataErased', {}));
    search.progress(requestId, { status: 'submitted' });
    expect(await later(SECOND)).toMatchObject({ retryAt: expect.any(Number) });
    expect(await shown()).toMatchObject({ status: 'submitted' });
  });

  it('has ended when it is removed, verified or not, if its data was erased: the creator does not return (D72)', async () => {
    await step();
    await leave();
    await service.creatorDid(mia, fact('personalDataErased', {}));
    search.progress(requestId, { status: 'removed' });
    expect(await later(SECOND)).toBe('idle');
    expect(await shown()).toMatchObject({ status: 'completed' });
  });
});
