import { CASE_WALK, type CreatorEvent } from '#creators';
import { noLonger, soon, type TaskRules } from '#jobs';
import type { CaseEvent } from '../domain/case.events.js';

export const casesTaskRules: TaskRules<CaseEvent, CreatorEvent> = {
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
