import type { Decider } from '../deciding/decider.js';
import type { DomainEvent } from '../events/event.js';
import type { Projection } from '../read-models/projection.js';
import type { CollectionDefinition } from '../stores/document-store.js';
import type { Upcaster } from '../stores/upcasting.js';
import type { TaskJobs } from '../tasks/task-job.js';
import type { AnyTaskRules } from '../tasks/task-rule.js';
import type { AnnouncedStreams } from './announcements.js';

export type AnyDecider = Decider<unknown, DomainEvent>;

/** A class that the container makes. */
type Provided<T> = abstract new (...dependencies: never[]) => T;

/** What the engines need to know of a context; `#contexts` has the list of all. */
export interface ContextDefinition {
  readonly name: string;
  /** Each folds the streams of one category. */
  readonly deciders: readonly AnyDecider[];
  readonly upcasters: readonly Upcaster[];
  readonly projections: readonly Projection[];
  /** Collections that no projection writes. */
  readonly collections: readonly CollectionDefinition[];
  /** What its own events, and those of contexts that it imports, make due for its jobs; null where it has none. */
  readonly taskRules: AnyTaskRules | null;
  readonly taskJobs: TaskJobs;
  /** What it does because of events, by the name of the runner that follows the log for it. */
  readonly reactions: Readonly<Record<string, Provided<{ readonly name: string }>>>;
  /** What follows the log in another way than a reaction, by the name of its runner. */
  readonly consumers: Readonly<Record<string, Provided<{ readonly name: string }>>>;
  /** One for each of its stream categories whose events are announced to agencies. */
  readonly announcements: readonly AnnouncedStreams[];
}
