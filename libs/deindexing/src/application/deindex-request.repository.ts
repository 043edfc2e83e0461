import { Injectable } from '@nestjs/common';
import { CommandRunner, type DeindexRequestId, type LoadedState, Repository } from '#kernel';
import type { DeindexRequestEvent } from '../domain/deindex-request.events.js';
import { type DeindexRequest, deindexRequestDecider } from '../domain/deindex-request.js';

export type LoadedDeindexRequest<State extends DeindexRequest = DeindexRequest> = LoadedState<State, DeindexRequestId>;

@Injectable()
export class DeindexRequestRepository extends Repository<DeindexRequest, DeindexRequestEvent, DeindexRequestId> {
  constructor(runner: CommandRunner) {
    super(deindexRequestDecider, runner);
  }
}
