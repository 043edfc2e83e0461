import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CaseAccess } from '#cases';
import { type AgencyScope, CreatorAccess, type FoundCreator, isEligible, requireWritable } from '#creators';
import {
  type CaseId,
  Clock,
  type CommandContext,
  DomainError,
  derivedId,
  requireVisibleKey,
  type UserId,
} from '#kernel';
import type { RequestDetails } from '../domain/deindex-request.events.js';
import { assertSameCase, type KnownDeindexRequest, requestDeindex } from '../domain/deindex-request.js';
import { DeindexRequestRepository, type LoadedDeindexRequest } from './deindex-request.repository.js';
import { SearchProvider } from './ports.js';

export interface RequestDeindexResult {
  readonly request: KnownDeindexRequest;
  readonly isNew: boolean;
}

export class RequestDeindex extends Command<RequestDeindexResult> {
  constructor(
    readonly caseId: CaseId,
    readonly scope: AgencyScope,
    readonly idempotencyKey: string,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(RequestDeindex)
export class RequestDeindexHandler implements ICommandHandler<RequestDeindex> {
  constructor(
    private readonly requests: DeindexRequestRepository,
    private readonly cases: CaseAccess,
    private readonly creators: CreatorAccess,
    private readonly provider: SearchProvider,
    private readonly clock: Clock,
  ) {}

  async execute({ caseId, scope, idempotencyKey, context }: RequestDeindex): Promise<RequestDeindexResult> {
    // The key names the request: a repeat finds it before any gate, also if the finding no longer exists (D45, D51).
    const requestId = derivedId('deindexRequest', scope.agencyId, idempotencyKey);
    const [{ found, creator }, request] = await Promise.all([
      this.cases.accessible(caseId, scope, context),
      this.requests.load(requestId),
    ]);
    if (request.state.status !== 'unknown') {
      assertSameCase(request.state, caseId);
      return { request: request.state, isNew: false };
    }
    requireVisibleKey(idempotencyKey);
    if (!found.state.available) throw new DomainError('not_found');
    requireWritable(creator.state, scope.epoch);
    const userId = await this.eligibleUser(creator, context);
    if (found.state.scanId === null) throw new DomainError('native_case_managed_by_svc');
    if (!this.provider.configured) throw new DomainError('svc_engine_not_configured');
    const { creatorId, leakId, finding } = found.state;
    const { agencyId, workspaceId } = scope;
    const details = { requestId, caseId, creatorId, agencyId, workspaceId, userId, leakId, url: finding.url };
    return this.request(request, details, context);
  }

  private async eligibleUser(creator: FoundCreator, context: CommandContext): Promise<UserId> {
    const { state: seen } = await this.creators.refreshed(creator, context);
    if (seen.userId === null || !isEligible(seen, this.clock.now())) throw new DomainError('creator_not_eligible');
    return seen.userId;
  }

  private async request(
    unknown: LoadedDeindexRequest,
    details: RequestDetails,
    context: CommandContext,
  ): Promise<RequestDeindexResult> {
    const { state, events } = await this.requests.update(unknown, context, (request) =>
      requestDeindex(request, details),
    );
    if (state.status === 'unknown') throw new Error(`${unknown.id} was requested, and is unknown`);
    return { request: state, isNew: events.length > 0 };
  }
}
