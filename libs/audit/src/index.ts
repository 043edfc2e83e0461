export { AcceptSealLoss } from './accept-seal-loss.js';
export { CompareReadModels } from './compare-read-models.js';
export { type ComparedDocument, comparedDocuments } from './compared-documents.js';
export { type EventSelection, selectedEvents } from './event-selection.js';
export { ExplainUsage } from './explain-usage.js';
export { GetNewestSeal } from './get-newest-seal.js';
export { ListSeals } from './list-seals.js';
export { boundAt, eventIdIn, type Moment, UnknownEvent } from './moment.js';
export { ReadHistory } from './read-history.js';
export { ReadStreamStates } from './read-stream-states.js';
export { SealLog } from './seal-log.js';
export { SignUsageStatement } from './sign-usage-statement.js';
export { checkStatement, type StatementVerdict } from './statement-check.js';
export type { StateStep } from './stream-state.js';
export { compareUsage, NotComparable, type Reason, type UsageComparison } from './usage-comparison.js';
export {
  type DocumentedCreator,
  type DocumentedDay,
  type DocumentedInterval,
  type DocumentedSwitch,
  type UsageDocument,
  usageDocument,
} from './usage-document.js';
export { NotStateable } from './usage-statement.js';
