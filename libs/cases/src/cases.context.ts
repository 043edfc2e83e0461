import { CASE_WALK, type CreatorEvent } from '#creators';
import { commandOf, noLonger, roundContext, soon, type TaskRules } from '#jobs';
import type { ContextDefinition } from '#kernel';
import { SYNC_CURSORS } from './application/case-synchronization.js';
import { WalkMemberRecords } from './application/walk-member-records.js';
import { CasesOptions } from './cases.options.js';
import { type CaseEvent, caseDecider } from './domain/case.js';
import { caseAnnouncements } from './published/announcements.js';
import { caseListProjection } from './read-models/case-list.js';
import { casesOfCreatorsProjection } from './read-models/cases-of-creators.js';

const casesTaskRules: TaskRules<CaseEvent, CreatorEvent> = {
  'creator.imported.v1': [{ kind: CASE_WALK, due: soon }],
  'creator.enrolledByLink.v1': [{ kind: CASE_WALK, due: soon }],
  'creator.onboarded.v1': [{ kind: CASE_WALK, due: soon }],
  // Nothing is read or written for a creator that has left; open work continues when it returns.
  'creator.membershipEnded.v1': [{ kind: CASE_WALK, due: noLonger }],
  'creator.returned.v1': [{ kind: CASE_WALK, due: soon }],
  'creator.personalDataErased.v1': [{ kind: CASE_WALK, due: noLonger }],
  'case.opened.v1': [],
  'case.changed.v1': [],
  'case.attributed.v1': [],
  'case.removed.v1': [],
  'case.restored.v1': [],
};

export const casesContext = {
  name: 'cases',
  deciders: [caseDecider],
  upcasters: [],
  projections: [caseListProjection, casesOfCreatorsProjection],
  collections: [SYNC_CURSORS],
  taskRules: casesTaskRules,
  taskJobs: {
    /** Repeats forever, because only a walk observes that a case is gone (D50). */
    [CASE_WALK]: {
      concurrency: 8,
      longestWait: (optionsOf) => optionsOf(CasesOptions).walkEvery,
      isSpread: true,
      command: commandOf(WalkMemberRecords, roundContext),
    },
  },
  reactions: {},
  consumers: {},
  announcements: [caseAnnouncements],
} satisfies ContextDefinition;
