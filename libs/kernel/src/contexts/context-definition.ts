import type { Decider } from '../deciding/decider.js';
import type { DomainEvent, RecordedEvent } from '../events/event.js';
import type { CreatorId } from '../ids.js';
import type { Projection } from '../read-models/projection.js';
import type { CollectionDefinition } from '../stores/document-store.js';
import type { Upcaster } from '../stores/upcasting.js';
import type { AnyTaskRules, TaskJobs } from '../tasks/task.js';

export interface PublicAnnouncement<Type extends string = string> {
  readonly type: Type;
  readonly creatorId: CreatorId;
  /** The fields of `data`, without `creator_id`. */
  readonly data: object;
}

// A method's type, so that one list can hold the rows of all contexts: each row gets only its own events.
type Announce<State, Event extends DomainEvent, Public, Options> = {
  of(before: State, after: State, event: RecordedEvent<Event>, options: Options): readonly Public[];
}['of'];

/** A row for each event type: a forgotten row does not compile. */
export type Announcements<State, Event extends DomainEvent, Public extends PublicAnnouncement, Options = unknown> = {
  readonly [Type in Event['type']]: Announce<State, Extract<Event, { type: Type }>, Public, Options>;
};

/** The row of an event type that is never announced. The publisher does not even read such events. */
export const announcesNothing = (): readonly never[] => [];

export interface AnnouncedStreams<
  State = unknown,
  Event extends DomainEvent = DomainEvent,
  Public extends PublicAnnouncement = PublicAnnouncement,
  Options = unknown,
> {
  /** Folds the states just before and after an event; null where the events alone say all, and the rows get null. */
  readonly decider: Decider<State, Event> | null;
  readonly rows: Announcements<State, Event, Public, Options>;
}

export type AnyDecider = Decider<unknown, DomainEvent>;

type Provided<T> = abstract new (...dependencies: never[]) => T;

/** Describes a context to the engines; `#contexts` has the list of all. */
export interface ContextDefinition {
  readonly name: string;
  readonly deciders: readonly AnyDecider[];
  readonly upcasters: readonly Upcaster[];
  readonly projections: readonly Projection[];
  readonly collections: readonly CollectionDefinition[];
  /** The tasks that its events, and those of contexts that it imports, create for its jobs; null without jobs. */
  readonly taskRules: AnyTaskRules | null;
  readonly taskJobs: TaskJobs;
  /** Commands that follow events, by the name of the runner that follows the log for them. */
  readonly reactions: Readonly<Record<string, Provided<{ readonly name: string }>>>;
  /** Consumers of the log that are not reactions, by the name of their runner. */
  readonly consumers: Readonly<Record<string, Provided<{ readonly name: string }>>>;
  /** One for each of its stream categories whose events are announced to agencies. */
  readonly announcements: readonly AnnouncedStreams[];
}

type Token<T> = NewableFunction & { readonly prototype: T };

/** A provider of a container: the factory gets what the container has for each class of `inject`. */
export const provided = <T, Given extends readonly Token<unknown>[]>(
  provide: Token<T>,
  inject: readonly [...Given],
  useFactory: (...given: { [Index in keyof Given]: Given[Index]['prototype'] }) => T,
) => ({ provide, inject: [...inject], useFactory });
