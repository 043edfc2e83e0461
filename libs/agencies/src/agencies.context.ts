import type { ContextDefinition } from '#kernel';
import { KEY_USES } from './application/key-uses.js';
import { agencyDecider } from './domain/agency.js';
import { apiKeyDecider } from './domain/api-key.js';
import { keyListProjection } from './read-models/key-list.js';

export const agenciesContext = {
  name: 'agencies',
  deciders: [agencyDecider, apiKeyDecider],
  upcasters: [],
  projections: [keyListProjection],
  collections: [KEY_USES],
  taskRules: null,
  taskJobs: {},
  reactions: {},
  consumers: {},
  announcements: [],
} satisfies ContextDefinition;
