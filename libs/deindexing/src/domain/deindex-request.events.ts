import {
  type AgencyId,
  type CaseId,
  type CreatorId,
  type DeindexRequestId,
  type Instant,
  renamedTypes,
  type UserId,
  type WorkspaceId,
} from '#kernel';

export interface DeindexCall extends Pick<RequestDetails, 'agencyId' | 'userId' | 'leakId' | 'url'> {
  readonly reference: DeindexRequestId;
}

export interface DeindexSubmission {
  readonly status: 'queued' | 'submitted' | 'removed' | 'rejected' | 'failed';
  readonly submittedToProvider: boolean;
  readonly removalVerified: boolean;
  readonly errorCode: string | null;
  readonly updatedAt: Instant;
}

export interface RequestDetails {
  readonly requestId: DeindexRequestId;
  readonly caseId: CaseId;
  readonly creatorId: CreatorId;
  readonly agencyId: AgencyId;
  readonly workspaceId: WorkspaceId;
  readonly userId: UserId;
  readonly leakId: string;
  readonly url: string;
}

type About = Pick<RequestDetails, 'requestId' | 'caseId' | 'creatorId'>;

/** The provider's answer, or the decision after too long without one. */
export interface DeindexOutcome {
  readonly submittedToProvider: boolean;
  readonly removalVerified: boolean;
  readonly errorCode: string | null;
  readonly recordedAt: Instant | null;
}

type Fact<Type extends string, Data extends object> = {
  readonly type: `deindexRequest.${Type}.v1`;
  readonly data: Data;
};

export type DeindexRequestEvent =
  | Fact<'requested', Omit<RequestDetails, 'url'> & { personal: { readonly url: string } }>
  | Fact<'dispatchStarted', About>
  | Fact<'outcomeLost', About>
  | Fact<'accepted', About & DeindexOutcome>
  | Fact<'submitted', About & DeindexOutcome>
  | Fact<'completed', About & DeindexOutcome>
  | Fact<'rejected', About & DeindexOutcome>
  | Fact<'failed', About & DeindexOutcome>
  /** It was not dispatched and never will be: the creator has left, or its data was erased (D51, D72). */
  | Fact<'cancelled', About & DeindexOutcome>;

/** Logs of builds up to 0.8 have the types on the left. */
export const deindexRequestUpcasters = renamedTypes<DeindexRequestEvent['type']>({
  'deindexRequest.dispatching.v1': 'deindexRequest.dispatchStarted.v1',
  'deindexRequest.uncertain.v1': 'deindexRequest.outcomeLost.v1',
});
