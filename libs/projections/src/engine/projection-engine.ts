import type {
  CollectionWrite,
  Document,
  DocumentStore,
  DomainEvent,
  EventProjection,
  Projected,
  Projection,
  RecordedEvent,
} from '#kernel';
import { DocumentChanges } from './document-changes.js';

/** A projection and the collection that it fills: the live one, or the shadow collection of a rebuild. */
export interface Target {
  readonly projection: Projection;
  readonly collection: string;
}

interface Route {
  readonly type: string;
  readonly target: number;
  readonly handler: EventProjection<Document, DomainEvent>;
}

type Store = Pick<DocumentStore, 'getMany'>;

export class ProjectionEngine {
  private readonly routes: ReadonlyMap<string, readonly Route[]>;

  constructor(private readonly targets: readonly Target[]) {
    const routes = targets.flatMap(({ projection: { on } }, target) =>
      [...on].map(([type, handler]): Route => ({ type, target, handler })),
    );
    this.routes = Map.groupBy(routes, ({ type }) => type);
  }

  /** Applies the events to the changes, one for each target. The caller loads the changes next. */
  fold(events: readonly RecordedEvent[], changes: readonly DocumentChanges[]): void {
    for (const event of events) {
      for (const { target, handler } of this.routes.get(event.type) ?? []) changes[target]?.apply(handler, event);
    }
  }

  /** The writes that a page of events causes: loads the documents that it touches, and folds the events in order. */
  async project(store: Store, events: readonly RecordedEvent[]): Promise<CollectionWrite[]> {
    const changes = this.targets.map(() => new DocumentChanges());
    this.fold(events, changes);
    const load = async ({ collection }: Target, target: number) =>
      changes[target]?.load((ids) => store.getMany<Projected<Document>>(collection, ids));
    await Promise.all(this.targets.map(load));
    return this.targets.flatMap(({ collection }, target) => {
      const batches = changes[target]?.batches(NO_LIMIT) ?? [];
      return [...batches].map(({ put, remove }) => ({ collection, put, remove }));
    });
  }
}

const NO_LIMIT = { documents: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };
