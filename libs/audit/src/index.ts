export { type ComparedDocument, CompareReadModels, comparedDocuments } from './compare-read-models.js';
export { ExplainUsage } from './explain-usage.js';
export { boundAt, eventIdIn, type Moment } from './moment.js';
export { type EventSelection, ReadHistory, selectedEvents } from './read-history.js';
export { ReadStreamStates, type StateStep } from './read-stream-states.js';
export { GetNewestSeal, ListSeals, SealLog } from './seals.js';
export { SignUsageStatement } from './sign-usage-statement.js';
export { checkStatement, type StatementVerdict } from './statement-check.js';
export { compareUsage, type Reason, type UsageComparison } from './usage-comparison.js';
export {
  type DocumentedCreator,
  type DocumentedDay,
  type DocumentedInterval,
  type DocumentedSwitch,
  type UsageDocument,
  usageDocument,
} from './usage-document.js';
