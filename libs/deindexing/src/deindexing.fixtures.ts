import { caseDecider, caseIdOf, observeLeak } from '#cases';
import { derivedId, SECOND } from '#kernel';
import { agency, imported, mia, miaUser, native, workspaceId } from '../../creators/src/domain/creator.fixtures.js';
import { given } from '../../testing/src/test-ports.module.js';
import { contextOf, scope, testedContext } from '../../testing/src/tested-context.js';
import { DeindexRequestRepository } from './application/deindex-request.repository.js';
import { DeindexingOptions } from './application/ports.js';
import { RequestDeindex } from './application/request-deindex.js';
import { DeindexingModule } from './deindexing.module.js';

export const caseId = caseIdOf(workspaceId, mia, 'leak-1');
export const requestId = derivedId('deindexRequest', agency, 'k1');

/** A finding of a creator, and a request to remove it. */
export const requestedDeindexing = async (options: DeindexingOptions) => {
  const service = await testedContext([DeindexingModule], [given(DeindexingOptions, options)]);
  const { platform, runner, search } = service;
  const requests = service.get(DeindexRequestRepository);
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
  const reading = { began: SECOND, now: SECOND };
  const observation = { caseId, creatorId: mia, workspaceId, leak, scanId: derivedId('scan', 'one'), reading };
  await runner.run(caseDecider, caseId, contextOf(), (state) => observeLeak(state, observation));
  await service.commands.execute(new RequestDeindex(caseId, scope, 'k1', contextOf()));
  return { service, search, requests, shown: async () => (await requests.load(requestId)).state };
};
