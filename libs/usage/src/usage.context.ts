import type { ContextDefinition } from '#kernel';
import { METERING, usageMeterDecider } from './domain/usage-meter.js';
import { Metering } from './processes/metering.js';
import { usageMonthsProjection } from './read-models/usage-months.js';
import { usageOpeningsProjection } from './read-models/usage-openings.js';

export const usageContext = {
  name: 'usage',
  deciders: [usageMeterDecider],
  upcasters: [],
  projections: [usageMonthsProjection, usageOpeningsProjection],
  collections: [],
  dueWork: null,
  dueJobs: {},
  reactions: { [METERING]: Metering },
  consumers: {},
  announcements: [],
} satisfies ContextDefinition;
