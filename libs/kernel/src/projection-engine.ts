import type { CollectionWrite, Document, DocumentStore } from './document-store.js';
import { Drafts } from './drafts.js';
import type { DomainEvent, RecordedEvent } from './event.js';
import type { EventProjection, Projected, Projection } from './projection.js';

/** A projection and the collection that it fills: the live one or a shadow. */
export interface Target {
  readonly projection: Projection;
  readonly collection: string;
}

interface Route {
  /** Which of the targets it is for. */
  readonly target: number;
  readonly handler: EventProjection<Document, DomainEvent>;
}

type Store = Pick<DocumentStore, 'getMany'>;

/** Leads each event to the handlers of all targets that want its type, in one pass. */
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

  /** What the events make of the drafts, one for each target, as far as these are known; they are to be loaded next. */
  fold(events: readonly RecordedEvent[], drafts: readonly Drafts[]): void {
    for (const event of events) {
      for (const { target, handler } of this.routes.get(event.type) ?? NOWHERE) drafts[target]?.apply(handler, event);
    }
  }

  /** What a batch of events does to read models: the touched documents are loaded, folded in order and written once. */
  async project(store: Store, events: readonly RecordedEvent[]): Promise<CollectionWrite[]> {
    const drafts = this.targets.map(() => new Drafts());
    this.fold(events, drafts);
    const load = async ({ collection }: Target, target: number) =>
      drafts[target]?.load((ids) => store.getMany<Projected<Document>>(collection, ids));
    await Promise.all(this.targets.map(load));
    return this.targets.flatMap(({ collection }, target) => {
      const changes = drafts[target]?.changes(ALL) ?? [];
      return [...changes].map(({ put, remove }) => ({ collection, put, remove }));
    });
  }
}

const ALL = { documents: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };
const NOWHERE: readonly Route[] = [];

/** The same for targets that are used once. */
export const project = (
  store: Store,
  targets: readonly Target[],
  events: readonly RecordedEvent[],
): Promise<CollectionWrite[]> => new ProjectionEngine(targets).project(store, events);
