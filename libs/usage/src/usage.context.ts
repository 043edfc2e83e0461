import { taskContext, taskJob } from '#jobs';
import { type AgencyId, type ContextDefinition, HOUR } from '#kernel';
import { USAGE_STATEMENT_PARTS } from './application/statement-texts.js';
import { MakeUsageStatement, usageTaskRules } from './application/usage-statements.js';
import { METERING, usageMeterDecider } from './domain/usage-meter.js';
import { usageStatementDecider } from './domain/usage-statement.js';
import { Metering } from './processes/metering.js';
import { usageIntervalsProjection } from './read-models/usage-intervals.js';
import { usageMonthsProjection } from './read-models/usage-months.js';

export const usageContext = {
  name: 'usage',
  deciders: [usageMeterDecider, usageStatementDecider],
  upcasters: [],
  projections: [usageMonthsProjection, usageIntervalsProjection],
  collections: [USAGE_STATEMENT_PARTS],
  taskRules: usageTaskRules,
  taskJobs: {
    /** Each reads the whole log. */
    usageStatement: taskJob<AgencyId>(
      { concurrency: 1, longestWait: HOUR },
      (item) => new MakeUsageStatement(item.subject, taskContext(item)),
    ),
  },
  reactions: { [METERING]: Metering },
  consumers: {},
  announcements: [],
} satisfies ContextDefinition;
