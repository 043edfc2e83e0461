import { commandOf } from '#jobs';
import { type ContextDefinition, HOUR } from '#kernel';
import { MakeUsageStatement, USAGE_STATEMENT_PARTS, usageTaskRules } from './application/usage-statements.js';
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
  taskJobs: { usageStatement: { concurrency: 1, longestWait: HOUR, command: commandOf(MakeUsageStatement) } },
  reactions: { [METERING]: Metering },
  consumers: {},
  announcements: [],
} satisfies ContextDefinition;
