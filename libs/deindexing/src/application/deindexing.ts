import { Injectable } from '@nestjs/common';
import { caseDecider, type KnownCase } from '#cases';
import { type AgencyScope, Creators, type EnrolledCreator, isEligible, requireWritable } from '#creators';
import {
  type CaseId,
  type CommandContext,
  CommandRunner,
  type DeindexRequestId,
  DomainError,
  derivedId,
  type Instant,
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

/** Takes deindex requests, hands them to the search provider, and follows what becomes of them. */
@Injectable()
export class Deindexing {
  constructor(
    private readonly runner: CommandRunner,
    private readonly creators: Creators,
    private readonly provider: SearchProvider,
  ) {}

  async load(requestId: DeindexRequestId): Promise<DeindexRequest> {
    return (await this.runner.load(deindexRequestDecider, requestId)).state;
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
    const { found, creator } = await this.accessibleCase(caseId, scope, context);
    const requestId = derivedId('deindexRequest', scope.agencyId, idempotencyKey);
    const earlier = await this.load(requestId);
    if (earlier.status !== 'unknown') {
      if (earlier.caseId !== caseId) throw new DomainError('idempotency_conflict');
      return { request: earlier, isNew: false };
    }
    if (!found.available) throw new DomainError('not_found');
    requireWritable(creator, scope.epoch);
    const { userId } = await this.eligible(creator, context);
    if (found.scanId === null) throw new DomainError('native_case_managed_by_svc');
    if (!this.provider.configured) throw new DomainError('svc_engine_not_configured');

    const { creatorId, leakId, finding } = found;
    const { agencyId, workspaceId } = scope;
    const ordering = { requestId, caseId, creatorId, agencyId, workspaceId, userId, leakId, url: finding.url };
    const { state, events } = await this.runner.run(deindexRequestDecider, requestId, context, (current) =>
      requestDeindex(current, ordering),
    );
    if (state.status === 'unknown') throw new DomainError('internal_error');
    return { request: state, isNew: events.length > 0 };
  }

  /** The request after one look at the provider's record (`GET /v1/deindex-requests/{id}`). */
  async current(
    requestId: DeindexRequestId,
    scope: AgencyScope,
    context: CommandContext,
  ): Promise<KnownDeindexRequest> {
    const request = await this.load(requestId);
    if (request.status === 'unknown' || request.workspaceId !== scope.workspaceId) throw new DomainError('not_found');
    await this.creators.confirmedMember(request.creatorId, scope, context);
    if (!isUnderWay(request)) return request;
    const submission = await this.provider.find(requestId);
    // That there is none yet says nothing: the call may be under way.
    if (submission === undefined && request.recordedAt === null) return request;
    const state = await this.record(requestId, context, (current, now) =>
      submission === undefined ? recordOutcomeUnknown(current, now) : observeSubmission(current, submission),
    );
    return state.status === 'unknown' ? request : state;
  }

  /** Takes a request one step on: the worker's part. Rejects with the provider's failure, to be tried again. */
  async progress(requestId: DeindexRequestId, context: CommandContext): Promise<DeindexRequest> {
    const request = await this.load(requestId);
    if (request.status === 'unknown' || isSettled(request)) return request;
    if (!isUnderWay(request)) return this.handOver(request, context);
    const submission = await this.lookUp(request, context);
    if (submission !== undefined) {
      return this.record(requestId, context, (current) => observeSubmission(current, submission));
    }
    const uncertain = await this.record(requestId, context, recordOutcomeUnknown);
    // A record that was there once is not made a second time; it is looked for until the request is given up.
    return request.recordedAt === null ? this.submit(uncertain, context) : uncertain;
  }

  /** One step of a request whose creator has left: nothing is handed over any more, and only looked up (D51, D72). */
  async conclude(
    requestId: DeindexRequestId,
    reason: DeindexCancellation,
    context: CommandContext,
  ): Promise<DeindexRequest> {
    const request = await this.record(requestId, context, (current) => cancelDeindex(current, reason));
    if (!isUnderWay(request)) return request;
    const submission = await this.lookUp(request, context);
    return this.record(requestId, context, (current, now) =>
      submission === undefined ? recordOutcomeUnknown(current, now) : observeSubmission(current, submission),
    );
  }

  /** Without a provider no intent is recorded: the request waits (D79). */
  private async handOver(request: KnownDeindexRequest, context: CommandContext): Promise<DeindexRequest> {
    if (!this.provider.configured) return request;
    const { state, events } = await this.runner.run(deindexRequestDecider, request.requestId, context, dispatchDeindex);
    // Another worker has recorded the intent, and its call may be under way.
    return events.length === 0 ? state : this.submit(state, context);
  }

  /** The same order under the same key, however often it is sent. */
  private async submit(request: DeindexRequest, context: CommandContext): Promise<DeindexRequest> {
    if (!isUnderWay(request)) return request;
    const { requestId, agencyId, userId, leakId, url } = request;
    const effect = await this.provider.submit({ reference: requestId, agencyId, userId, leakId, url });
    switch (effect.outcome) {
      case 'done':
        return this.record(requestId, context, (current) => observeSubmission(current, effect.value));
      case 'refused':
        return this.record(requestId, context, (current) => rejectDeindex(current, effect.code));
      case 'unknown':
        await this.record(requestId, context, recordOutcomeUnknown);
        throw effect.error;
    }
  }

  /** Where no record is known, a lookup that fails says as little as one that finds none, and the 72 hours run on. */
  private async lookUp(
    { requestId, recordedAt, status }: KnownDeindexRequest,
    context: CommandContext,
  ): Promise<DeindexSubmission | undefined> {
    try {
      return await this.provider.find(requestId);
    } catch (error) {
      if (recordedAt === null || status === 'uncertain') await this.record(requestId, context, recordOutcomeUnknown);
      throw error;
    }
  }

  private async eligible(creator: EnrolledCreator, context: CommandContext) {
    const seen = await this.creators.refreshed(creator, context);
    const { userId } = seen;
    if (userId === null || !isEligible(seen, this.runner.now())) throw new DomainError('creator_not_eligible');
    return { userId };
  }

  /** D9: a case of another agency, or of a creator that it can not see, is not found. */
  private async accessibleCase(
    caseId: CaseId,
    scope: AgencyScope,
    context: CommandContext,
  ): Promise<{ readonly found: KnownCase; readonly creator: EnrolledCreator }> {
    const { state } = await this.runner.load(caseDecider, caseId);
    if (state.status === 'unknown' || state.workspaceId !== scope.workspaceId) throw new DomainError('not_found');
    return { found: state, creator: await this.creators.accessible(state.creatorId, scope, context) };
  }

  private async record(
    requestId: DeindexRequestId,
    context: CommandContext,
    decision: (state: DeindexRequest, now: Instant) => DeindexRequestEvent[],
  ): Promise<DeindexRequest> {
    return (await this.runner.run(deindexRequestDecider, requestId, context, decision)).state;
  }
}
