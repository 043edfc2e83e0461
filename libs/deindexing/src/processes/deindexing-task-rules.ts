import { afterGrace, immediately, noLonger, soon, type TaskRules } from '#jobs';
import type { DeindexRequestEvent } from '../domain/deindex-request.events.js';

export const deindexingTaskRules: TaskRules<DeindexRequestEvent> = {
  'deindexRequest.requested.v1': [{ kind: 'deindex', due: immediately }],
  'deindexRequest.dispatchStarted.v1': [{ kind: 'deindex', due: afterGrace }],
  'deindexRequest.outcomeLost.v1': [{ kind: 'deindex', due: soon }],
  'deindexRequest.accepted.v1': [{ kind: 'deindex', due: soon }],
  'deindexRequest.submitted.v1': [{ kind: 'deindex', due: soon }],
  // A removal that is not verified yet may still be verified.
  'deindexRequest.completed.v1': [
    { kind: 'deindex', due: (at, { data }) => (data.removalVerified ? undefined : soon(at)) },
  ],
  'deindexRequest.rejected.v1': [{ kind: 'deindex', due: noLonger }],
  'deindexRequest.failed.v1': [{ kind: 'deindex', due: noLonger }],
  'deindexRequest.cancelled.v1': [{ kind: 'deindex', due: noLonger }],
};
