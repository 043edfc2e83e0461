import type { CollectionWrite, Document, DocumentStore } from './document-store.js';
import type { DomainEvent, RecordedEvent } from './event.js';
import type { EventProjection, Projected, Projection } from './projection.js';

/** A projection and the collection that it fills: the live one or a shadow. */
export interface Target {
  readonly projection: Projection;
  readonly collection: string;
}

/** A document that the batch touches, as it was and as it is after the events so far. */
interface Touched {
  before: Projected<Document> | undefined;
  now: Projected<Document> | undefined;
}

interface Step {
  readonly handler: EventProjection<Document, DomainEvent>;
  readonly event: RecordedEvent;
  readonly id: string;
  readonly document: Touched;
}

/**
 * What a batch of events does to read models: the touched documents are loaded once, folded in order, and to be written
 * once. A document that has seen an event skips it, so that a batch may be applied again.
 */
export const project = async (
  store: Pick<DocumentStore, 'getMany'>,
  targets: readonly Target[],
  events: readonly RecordedEvent[],
): Promise<CollectionWrite[]> => {
  const writes = await Promise.all(targets.map((target) => projectOne(store, target, events)));
  return writes.filter((write) => write !== undefined);
};

const projectOne = async (
  store: Pick<DocumentStore, 'getMany'>,
  { projection, collection }: Target,
  events: readonly RecordedEvent[],
): Promise<CollectionWrite | undefined> => {
  const touched = new Map<string, Touched>();
  const steps: Step[] = [];
  for (const event of events) {
    const handler = projection.on.get(event.type);
    if (handler === undefined) continue;
    const documents = handler.documents(event);
    for (const id of typeof documents === 'string' ? [documents] : documents) {
      const document = touched.get(id) ?? { before: undefined, now: undefined };
      touched.set(id, document);
      steps.push({ handler, event, id, document });
    }
  }
  if (steps.length === 0) return undefined;

  for (const stored of await store.getMany<Projected<Document>>(collection, [...touched.keys()])) {
    const document = touched.get(stored.id);
    if (document === undefined) continue;
    document.before = stored;
    document.now = stored;
  }
  for (const step of steps) take(step);

  const put: Document[] = [];
  const remove: string[] = [];
  for (const [id, { before, now }] of touched) {
    if (now !== undefined && now !== before) put.push(now);
    if (now === undefined && before !== undefined) remove.push(id);
  }
  return put.length + remove.length === 0 ? undefined : { collection, put, remove };
};

const take = ({ handler, event, id, document }: Step): void => {
  if (document.now !== undefined && document.now.position >= event.position) return;
  const folded = handler.fold(document.now, event, id);
  document.now = folded === undefined ? undefined : { ...folded, position: event.position };
};
