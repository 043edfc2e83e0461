import type { CollectionDefinition, Document } from './document-store.js';
import type { DomainEvent, Position, RecordedEvent } from './event.js';

/** A document as a projection keeps it, with the position of the last event that it reflects. */
export type Projected<D extends Document> = D & { readonly position: Position };

export interface EventProjection<D extends Document, Event extends DomainEvent> {
  /** The documents that the event touches. */
  documents(event: RecordedEvent<Event>): string | readonly string[];
  /**
   * Pure: the document after the event, a new object or the very one before it, as its position is put into it; undefined
   * where it is to be no more.
   */
  fold(document: D | undefined, event: RecordedEvent<Event>, id: string): D | undefined;
}

/** A read model as data: a collection, and what each event type does to which of its documents. */
export interface Projection<D extends Document = Document> {
  readonly name: string;
  /** Raised when the folds change, which makes the read model anew. */
  readonly version: number;
  readonly indexes: CollectionDefinition['indexes'];
  /** Members that whoever works with the documents changes: a fold makes them, and the log does not know what they are now. */
  readonly notFromTheLog?: readonly string[];
  readonly on: ReadonlyMap<string, EventProjection<D, DomainEvent>>;
}

type Handlers<D extends Document, Event extends DomainEvent> = {
  readonly [Type in Event['type']]?: EventProjection<D, Extract<Event, { type: Type }>>;
};

/** Declares a projection with each handler typed by the event that it is for. */
export const projection = <D extends Document, Event extends DomainEvent>(
  definition: Omit<Projection<D>, 'on'> & { readonly on: Handlers<D, Event> },
): Projection<D> => ({
  ...definition,
  // Looked up by the event's own type, so that each handler meets only what it was written for.
  on: new Map(Object.entries(definition.on)) as ReadonlyMap<string, EventProjection<D, DomainEvent>>,
});

/** All event types that any of the projections wants. */
export const typesOf = (projections: readonly Projection[]): ReadonlySet<string> =>
  new Set(projections.flatMap(({ on }) => [...on.keys()]));
