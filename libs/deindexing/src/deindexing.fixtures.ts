import { caseDecider, caseIdOf, observeLeak } from '#cases';
import { derivedId, SECOND } from '#kernel';
import { FakeSearch } from '#testing';
import { aService, contextOf, type Service, scope } from '../../contexts/src/service.fixtures.js';
import { agency, imported, mia, miaUser, native, workspaceId } from '../../creators/src/domain/creator.fixtures.js';
import { AdvanceDeindexRequestHandler } from './application/advance-deindex-request.js';
import { DeindexRequestRepository } from './application/deindex-request.repository.js';
import { ObserveDeindexRequestHandler } from './application/observe-deindex-request.js';
import { RequestDeindex, RequestDeindexHandler } from './application/request-deindex.js';
import type { DeindexingOptions } from './deindexing.options.js';

export const caseId = caseIdOf(workspaceId, mia, 'leak-1');
export const requestId = derivedId('deindexRequest', agency, 'k1');

/** A finding of a creator, and a request to remove it. */
export const requestedDeindexing = async (options: DeindexingOptions) => {
  const service: Service = await aService();
  const { platform, runner, creators, cases, access, clock } = service;
  const search = new FakeSearch();
  const requests = new DeindexRequestRepository(runner);
  platform.users.set(miaUser, native());
  await service.creatorDid(mia, ...imported);
  const leak = {
    leakId: 'leak-1',
    url: 'https://leaks.example/leak-1',
    status: 'Detected',
    statusCode: 'detected',
    actionable: true,
    deadOnArrival: false,
    createdAt: 1,
    updatedAt: 1,
    jobId: 'job-1',
  };
  const observation = { caseId, creatorId: mia, workspaceId, leak, scanId: derivedId('scan', 'one'), askedAt: SECOND };
  await runner.run(caseDecider, caseId, contextOf(), (state) => observeLeak(state, observation));
  const request = new RequestDeindexHandler(requests, cases, creators, search, clock);
  await request.execute(new RequestDeindex(caseId, scope, 'k1', contextOf()));
  return {
    service,
    search,
    requests,
    observe: new ObserveDeindexRequestHandler(requests, creators, search),
    advance: new AdvanceDeindexRequestHandler(requests, creators, access, search, clock, options),
    shown: async () => (await requests.load(requestId)).state,
  };
};
