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
  /** An index into the targets. */
  readonly target: number;
  readonly handler: EventProjection<Document, DomainEvent>;
}

type Store = Pick<DocumentStore, 'getMany'>;

/** Folds events into the documents of several targets in one pass. */
export class ProjectionEngine {
  private readonly routes = new Map<string, Route[]>();

  constructor(private readonly targets: readonly Target[]) {
    for (const [target, { projection }] of targets.entries()) {
      for (const [type, handler] of projection.on) {
        const routes = this.routes.get(type) ?? [];
        this.routes.set(type, routes);
        routes.push({ target, handler });
      }
    }
  }

  /** Applies the events to the changes, one for each target. The caller loads the changes next. */
  fold(events: readonly RecordedEvent[], changes: readonly DocumentChanges[]): void {
    for (const event of events) {
      for (const { target, handler } of this.routes.get(event.type) ?? NO_ROUTES)
        changes[target]?.apply(handler, event);
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
const NO_ROUTES: readonly Route[] = [];
