import { type DeindexRequestId, type LoadedState, repositoryOf } from '#kernel';
import type { DeindexRequestEvent } from '../domain/deindex-request.events.js';
import { type DeindexRequest, deindexRequestDecider } from '../domain/deindex-request.js';

export type LoadedDeindexRequest<State extends DeindexRequest = DeindexRequest> = LoadedState<State, DeindexRequestId>;

export class DeindexRequestRepository extends repositoryOf<DeindexRequest, DeindexRequestEvent, DeindexRequestId>(
  deindexRequestDecider,
) {}
