import type { ContextDefinition } from '#kernel';
import { METERING, usageMeterDecider } from './domain/usage-meter.js';
import { Metering } from './processes/metering.js';
import { usageIntervalsProjection } from './read-models/usage-intervals.js';
import { usageMonthsProjection } from './read-models/usage-months.js';

export const usageContext = {
  name: 'usage',
  deciders: [usageMeterDecider],
  upcasters: [],
  projections: [usageMonthsProjection, usageIntervalsProjection],
  collections: [],
  dueWork: null,
  dueJobs: {},
  reactions: { [METERING]: Metering },
  consumers: {},
  announcements: [],
} satisfies ContextDefinition;
