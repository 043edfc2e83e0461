import { agencyId, derivedId, type UserId } from '#kernel';
import { folded, given, type Past } from '#testing';
import type { DeindexOutcome, DeindexRequestEvent, DeindexSubmission } from './deindex-request.events.js';
import { deindexRequestDecider } from './deindex-request.js';

const agency = agencyId('ag_lumen');
export const about = {
  requestId: derivedId('deindexRequest', 'one'),
  caseId: derivedId('case', 'one'),
  creatorId: derivedId('creator', 'mia'),
};
const ordered = {
  ...about,
  agencyId: agency,
  workspaceId: derivedId('workspace', agency),
  userId: '0a000000-0000-4000-8000-000000000001' as UserId,
  leakId: 'leak-1',
};
export const details = { ...ordered, url: 'https://leaks.example/mia' };

export const requested: DeindexRequestEvent = {
  type: 'deindexRequest.requested.v1',
  data: { ...ordered, personal: { url: details.url } },
};
export const dispatching: DeindexRequestEvent = { type: 'deindexRequest.dispatchStarted.v1', data: about };
export const uncertain: DeindexRequestEvent = { type: 'deindexRequest.outcomeLost.v1', data: about };

export type Outcome = 'accepted' | 'submitted' | 'completed' | 'rejected' | 'failed' | 'cancelled';
export const nothing: DeindexOutcome = {
  submittedToProvider: false,
  removalVerified: false,
  errorCode: null,
  recordedAt: 50,
};
export const outcome = (name: Outcome, change: Partial<DeindexOutcome> = {}): DeindexRequestEvent => ({
  type: `deindexRequest.${name}.v1`,
  data: { ...about, ...nothing, ...change },
});

export const submission = (change: Partial<DeindexSubmission> = {}): DeindexSubmission => ({
  status: 'queued',
  submittedToProvider: false,
  removalVerified: false,
  errorCode: null,
  updatedAt: 50,
  ...change,
});
export const verified = { submittedToProvider: true, removalVerified: true };

export const givenRequest = (past: Past<DeindexRequestEvent>) => given(deindexRequestDecider, past);
export const stateOf = (past: Past<DeindexRequestEvent>) => folded(deindexRequestDecider, past);

export const sent: Past<DeindexRequestEvent> = [requested, dispatching];
