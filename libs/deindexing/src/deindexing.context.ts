import { afterGrace, commandOf, immediately, noLonger, soon, type TaskRules } from '#jobs';
import { type ContextDefinition, DAY } from '#kernel';
import { AdvanceDeindexRequest } from './application/advance-deindex-request.js';
import { type DeindexRequestEvent, deindexRequestUpcasters } from './domain/deindex-request.events.js';
import { deindexRequestDecider } from './domain/deindex-request.js';
import { deindexAnnouncements } from './published/announcements.js';
import { deindexRequestsOfCreatorsProjection } from './read-models/deindex-requests-of-creators.js';

const deindexingTaskRules: TaskRules<DeindexRequestEvent> = {
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

export const deindexingContext = {
  name: 'deindexing',
  deciders: [deindexRequestDecider],
  upcasters: deindexRequestUpcasters,
  projections: [deindexRequestsOfCreatorsProjection],
  collections: [],
  taskRules: deindexingTaskRules,
  taskJobs: {
    /** Until the request is finished (D51). Old ones are looked up once a day. */
    deindex: { concurrency: 8, longestWait: DAY, command: commandOf(AdvanceDeindexRequest), endsDeadLetters: true },
  },
  reactions: {},
  consumers: {},
  announcements: [deindexAnnouncements],
} satisfies ContextDefinition;
