import type { CollectionWrite, Document, DocumentStore } from './document-store.js';
import type { RecordedEvent } from './event.js';
import type { Projected, Projection } from './projection.js';

/** A projection and the collection that it fills: the live one or a shadow. */
export interface Target {
  readonly projection: Projection;
  readonly collection: string;
}

type Touched = Map<string, { before: Projected<Document> | undefined; now: Projected<Document> | undefined }>;

/**
 * What a batch of events does to a read model: the touched documents are loaded once, folded in order, and written
 * once. A document that has seen an event skips it, so that a batch may be applied again.
 */
export const project = async (
  store: DocumentStore,
  targets: readonly Target[],
  events: readonly RecordedEvent[],
): Promise<CollectionWrite[]> => {
  const writes = await Promise.all(targets.map((target) => projectOne(store, target, events)));
  return writes.filter((write) => write !== undefined);
};

const projectOne = async (
  store: DocumentStore,
  { projection, collection }: Target,
  events: readonly RecordedEvent[],
): Promise<CollectionWrite | undefined> => {
  const steps: { event: RecordedEvent; ids: readonly string[] }[] = [];
  const touched: Touched = new Map();
  for (const event of events) {
    const handler = projection.on.get(event.type);
    if (handler === undefined) continue;
    const documents = handler.documents(event);
    const ids = typeof documents === 'string' ? [documents] : documents;
    steps.push({ event, ids });
    for (const id of ids) touched.set(id, { before: undefined, now: undefined });
  }
  if (steps.length === 0) return undefined;

  for (const document of await store.getMany<Projected<Document>>(collection, [...touched.keys()])) {
    touched.set(document.id, { before: document, now: document });
  }
  for (const { event, ids } of steps) {
    const handler = projection.on.get(event.type);
    for (const id of ids) {
      const entry = touched.get(id);
      if (entry === undefined || handler === undefined || (entry.now?.position ?? 0) >= event.position) continue;
      const folded = handler.fold(entry.now, event, id);
      entry.now = folded === undefined ? undefined : { ...folded, position: event.position };
    }
  }
  const put = [];
  const remove = [];
  for (const [id, { before, now }] of touched) {
    if (now !== undefined && now !== before) put.push(now);
    if (now === undefined && before !== undefined) remove.push(id);
  }
  return put.length + remove.length === 0 ? undefined : { collection, put, remove };
};
