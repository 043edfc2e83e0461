import type { DomainEvent, Position, RecordedEvent } from '../events/event.js';
import { type CollectionDefinition, type Document, UnknownCollection } from '../stores/document-store.js';

export abstract class LiveCollections {
  /** The name of the live collection; for a read model that was never filled, of its first one. */
  abstract of(readModel: Pick<Projection, 'name' | 'version'>): Promise<string>;
}

/** Runs the task with the live collection; once more if a rebuild has replaced and dropped it since its name was read. */
export const withLiveCollection = async <T>(
  nameOfLive: () => Promise<string>,
  task: (collection: string) => Promise<T>,
): Promise<T> => {
  const collection = await nameOfLive();
  try {
    return await task(collection);
  } catch (error) {
    if (!(error instanceof UnknownCollection)) throw error;
    const current = await nameOfLive();
    if (current === collection) throw error;
    return task(current);
  }
};

export type Projected<D extends Document> = D & { readonly position: Position };

export interface EventProjection<D extends Document, Event extends DomainEvent> {
  documents(event: RecordedEvent<Event>): string | readonly string[];
  /** Pure. Returns a new object, whose position the engine sets, or the unchanged one; undefined removes it. */
  fold(document: D | undefined, event: RecordedEvent<Event>, id: string): D | undefined;
}

export interface Projection<D extends Document = Document> {
  readonly name: string;
  /** A changed fold needs a new version, which rebuilds the read model. */
  readonly version: number;
  /** The runner that keeps it; default: `READ_MODELS`. Answers to writes wait only for that one. */
  readonly runner?: string;
  readonly indexes: CollectionDefinition['indexes'];
  /** Fields that workers change without an event, such as the time of a task. A fold sets them, and a comparison leaves them out. */
  readonly operationalFields?: readonly string[];
  /** Erases what its documents were made of, and does not show which ones: they have to be built again. */
  readonly erasedBy?: string;
  readonly on: ReadonlyMap<string, EventProjection<D, DomainEvent>>;
}

type Handlers<D extends Document, Event extends DomainEvent> = {
  readonly [Type in Event['type']]?: EventProjection<D, Extract<Event, { type: Type }>>;
};

export const projection = <D extends Document, Event extends DomainEvent>(
  definition: Omit<Projection<D>, 'on' | 'erasedBy'> & {
    readonly erasedBy?: Event['type'];
    readonly on: Handlers<D, Event>;
  },
): Projection<D> => ({
  ...definition,
  // The engine looks a handler up by the type of the event, so each one gets only its own events.
  on: new Map(Object.entries(definition.on)) as ReadonlyMap<string, EventProjection<D, DomainEvent>>,
});

export const typesOf = (projections: readonly Projection[]): ReadonlySet<string> =>
  new Set(projections.flatMap(({ on }) => [...on.keys()]));
