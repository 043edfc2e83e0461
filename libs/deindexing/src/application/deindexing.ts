import { Injectable } from '@nestjs/common';
import { caseDecider, type KnownCase } from '#cases';
import { type AgencyScope, Creators, type FoundCreator, isEligible, requireWritable } from '#creators';
import {
  type CaseId,
  type CommandContext,
  CommandRunner,
  type Decision,
  type DeindexRequestId,
  DomainError,
  derivedId,
  type LoadedState,
} from '#kernel';
import type { DeindexRequestEvent } from '../domain/deindex-request.events.js';
import {
  cancelDeindex,
  type DeindexCancellation,
  type DeindexRequest,
  deindexRequestDecider,
  dispatchDeindex,
  isSettled,
  isUnderWay,
  type KnownDeindexRequest,
  observeSubmission,
  recordOutcomeUnknown,
  rejectDeindex,
  requestDeindex,
} from '../domain/deindex-request.js';
import { type DeindexSubmission, SearchProvider } from './ports.js';

export interface DeindexRequested {
  readonly request: KnownDeindexRequest;
  readonly isNew: boolean;
}

export type LoadedRequest = LoadedState<DeindexRequest, DeindexRequestId>;

/** Takes deindex requests, hands them to the search provider, and follows what becomes of them. */
@Injectable()
export class Deindexing {
  constructor(
    private readonly runner: CommandRunner,
    private readonly creators: Creators,
    private readonly provider: SearchProvider,
  ) {}

  find(requestId: DeindexRequestId): Promise<LoadedRequest> {
    return this.runner.load(deindexRequestDecider, requestId);
  }

  /**
   * The key names the request, so that a repeat finds it before any gate, also when the finding has gone since
   * (D45, D51): one read of the platform and one append for a new one, none for a repeat.
   */
  async request(
    caseId: CaseId,
    scope: AgencyScope,
    idempotencyKey: string,
    context: CommandContext,
  ): Promise<DeindexRequested> {
    const requestId = derivedId('deindexRequest', scope.agencyId, idempotencyKey);
    const [{ found, creator }, earlier] = await Promise.all([
      this.accessibleCase(caseId, scope, context),
      this.find(requestId),
    ]);
    if (earlier.state.status !== 'unknown') {
      if (earlier.state.caseId !== caseId) throw new DomainError('idempotency_conflict');
      return { request: earlier.state, isNew: false };
    }
    if (!found.available) throw new DomainError('not_found');
    requireWritable(creator.state, scope.epoch);
    const { userId } = await this.eligible(creator, context);
    if (found.scanId === null) throw new DomainError('native_case_managed_by_svc');
    if (!this.provider.configured) throw new DomainError('svc_engine_not_configured');

    const { creatorId, leakId, finding } = found;
    const { agencyId, workspaceId } = scope;
    const ordering = { requestId, caseId, creatorId, agencyId, workspaceId, userId, leakId, url: finding.url };
    const { state, events } = await this.record(earlier, context, (current) => requestDeindex(current, ordering));
    if (state.status === 'unknown') throw new DomainError('internal_error');
    return { request: state, isNew: events.length > 0 };
  }

  /** The request after one look at the provider's record (`GET /v1/deindex-requests/{id}`). */
  async current(
    requestId: DeindexRequestId,
    scope: AgencyScope,
    context: CommandContext,
  ): Promise<KnownDeindexRequest> {
    const loaded = await this.find(requestId);
    const { state: request } = loaded;
    if (request.status === 'unknown' || request.workspaceId !== scope.workspaceId) throw new DomainError('not_found');
    await this.creators.confirmedMember(request.creatorId, scope, context);
    if (!isUnderWay(request)) return request;
    const submission = await this.provider.find(requestId);
    // That there is none yet says nothing: the call may be under way.
    if (submission === undefined && request.recordedAt === null) return request;
    const { state } = await this.record(loaded, context, (current, now) =>
      submission === undefined ? recordOutcomeUnknown(current, now) : observeSubmission(current, submission),
    );
    return state.status === 'unknown' ? request : state;
  }

  /** Takes a request one step on: the worker's part. Rejects with the provider's failure, to be tried again. */
  async progress(loaded: LoadedRequest, context: CommandContext): Promise<DeindexRequest> {
    const { state: request } = loaded;
    if (request.status === 'unknown' || isSettled(request)) return request;
    if (!isUnderWay(request)) return this.handOver(loaded, context);
    const submission = await this.lookUp(loaded, request, context);
    if (submission !== undefined) {
      return (await this.record(loaded, context, (current) => observeSubmission(current, submission))).state;
    }
    const uncertain = await this.record(loaded, context, recordOutcomeUnknown);
    // A record that was there once is not made a second time; it is looked for until the request is given up.
    return request.recordedAt === null ? this.submit(uncertain, context) : uncertain.state;
  }

  /** One step of a request whose creator has left: nothing is handed over any more, and only looked up (D51, D72). */
  async conclude(loaded: LoadedRequest, reason: DeindexCancellation, context: CommandContext): Promise<DeindexRequest> {
    const cancelled = await this.record(loaded, context, (current) => cancelDeindex(current, reason));
    if (!isUnderWay(cancelled.state)) return cancelled.state;
    const submission = await this.lookUp(cancelled, cancelled.state, context);
    const { state } = await this.record(cancelled, context, (current, now) =>
      submission === undefined ? recordOutcomeUnknown(current, now) : observeSubmission(current, submission),
    );
    return state;
  }

  /** Without a provider no intent is recorded: the request waits (D79). */
  private async handOver(request: LoadedRequest, context: CommandContext): Promise<DeindexRequest> {
    if (!this.provider.configured) return request.state;
    const intended = await this.record(request, context, dispatchDeindex);
    // Another worker has recorded the intent, and its call may be under way.
    return intended.events.length === 0 ? intended.state : this.submit(intended, context);
  }

  /** The same order under the same key, however often it is sent. */
  private async submit(request: LoadedRequest, context: CommandContext): Promise<DeindexRequest> {
    if (!isUnderWay(request.state)) return request.state;
    const { requestId, agencyId, userId, leakId, url } = request.state;
    const effect = await this.provider.submit({ reference: requestId, agencyId, userId, leakId, url });
    switch (effect.outcome) {
      case 'done':
        return (await this.record(request, context, (current) => observeSubmission(current, effect.value))).state;
      case 'refused':
        return (await this.record(request, context, (current) => rejectDeindex(current, effect.code))).state;
      case 'unknown':
        await this.record(request, context, recordOutcomeUnknown);
        throw effect.error;
    }
  }

  /** Where no record is known, a lookup that fails says as little as one that finds none, and the 72 hours run on. */
  private async lookUp(
    loaded: LoadedRequest,
    { requestId, recordedAt, status }: KnownDeindexRequest,
    context: CommandContext,
  ): Promise<DeindexSubmission | undefined> {
    try {
      return await this.provider.find(requestId);
    } catch (error) {
      if (recordedAt === null || status === 'uncertain') await this.record(loaded, context, recordOutcomeUnknown);
      throw error;
    }
  }

  private async eligible(creator: FoundCreator, context: CommandContext) {
    const { state: seen } = await this.creators.refreshed(creator, context);
    const { userId } = seen;
    if (userId === null || !isEligible(seen, this.runner.now())) throw new DomainError('creator_not_eligible');
    return { userId };
  }

  /** D9: a case of another agency, or of a creator that it can not see, is not found. */
  private async accessibleCase(
    caseId: CaseId,
    scope: AgencyScope,
    context: CommandContext,
  ): Promise<{ readonly found: KnownCase; readonly creator: FoundCreator }> {
    const { state } = await this.runner.load(caseDecider, caseId);
    if (state.status === 'unknown' || state.workspaceId !== scope.workspaceId) throw new DomainError('not_found');
    return { found: state, creator: await this.creators.accessible(state.creatorId, scope, context) };
  }

  private record(
    request: LoadedRequest,
    context: CommandContext,
    decision: Decision<DeindexRequest, DeindexRequestEvent>,
  ) {
    return this.runner.update(deindexRequestDecider, request, context, decision);
  }
}
