import { taskContext, taskJob } from '#jobs';
import { type ContextDefinition, DAY, type DeindexRequestId } from '#kernel';
import { AdvanceDeindexRequest } from './application/advance-deindex-request.js';
import { EndDeadLetterDeindexRequest } from './application/end-dead-letter-deindex-request.js';
import { deindexRequestUpcasters } from './domain/deindex-request.events.js';
import { deindexRequestDecider } from './domain/deindex-request.js';
import { deindexingTaskRules } from './processes/deindexing-task-rules.js';
import { deindexAnnouncements } from './published/announcements.js';
import { deindexRequestsOfCreatorsProjection } from './read-models/deindex-requests-of-creators.js';

export const deindexingContext = {
  name: 'deindexing',
  deciders: [deindexRequestDecider],
  upcasters: deindexRequestUpcasters,
  projections: [deindexRequestsOfCreatorsProjection],
  collections: [],
  taskRules: deindexingTaskRules,
  taskJobs: {
    /** Until the request is finished (D51). Old ones are looked up once a day. */
    deindex: taskJob<DeindexRequestId>(
      { concurrency: 8, longestWait: DAY },
      (item) => new AdvanceDeindexRequest(item.subject, taskContext(item)),
      (item) => new EndDeadLetterDeindexRequest(item.subject, taskContext(item)),
    ),
  },
  reactions: {},
  consumers: {},
  announcements: [deindexAnnouncements],
} satisfies ContextDefinition;
