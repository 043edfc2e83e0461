import { CASE_WALK } from '#creators';
import { roundContext, taskJob } from '#jobs';
import { type ContextDefinition, type CreatorId } from '#kernel';
import { WalkMemberRecords } from './application/walk-member-records.js';
import { CasesOptions } from './cases.options.js';
import { caseDecider } from './domain/case.js';
import { casesTaskRules } from './processes/cases-task-rules.js';
import { caseAnnouncements } from './published/announcements.js';
import { caseListProjection } from './read-models/case-list.js';
import { SYNC_MARKS } from './read-models/sync-marks.js';

export const casesContext = {
  name: 'cases',
  deciders: [caseDecider],
  upcasters: [],
  projections: [caseListProjection],
  collections: [SYNC_MARKS],
  taskRules: casesTaskRules,
  taskJobs: {
    /** Again and again: only a walk observes that a case is gone (D50). */
    [CASE_WALK]: taskJob<CreatorId>(
      { concurrency: 8, longestWait: (optionsOf) => optionsOf(CasesOptions).walkEvery, isSpread: true },
      (item) => new WalkMemberRecords(item.subject, roundContext(item)),
    ),
  },
  reactions: {},
  consumers: {},
  announcements: [caseAnnouncements],
} satisfies ContextDefinition;
