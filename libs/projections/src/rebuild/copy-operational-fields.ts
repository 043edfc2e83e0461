import { isDeepStrictEqual } from 'node:util';
import type { Document, DocumentStore, Projected, Projection } from '#kernel';
import { documentPages } from '../document-pages.js';

type Stored = Projected<Document>;

/**
 * Copies the operational fields of documents that are at the same event in both collections, so that claims and
 * postponements of due work survive the switch from one collection to the other.
 */
export const copyOperationalFields = async (
  store: DocumentStore,
  { operationalFields = [] }: Projection,
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<void> => {
  if (operationalFields.length === 0) return;
  const fieldsOf = (document: Stored) =>
    Object.fromEntries(Object.entries(document).filter(([name]) => operationalFields.includes(name)));
  for await (const page of documentPages<Stored>(store, from, signal)) {
    const targets = await store.getMany<Stored>(
      to,
      page.map(({ id }) => id),
    );
    const byId = new Map(targets.map((document) => [document.id, document]));
    await Promise.all(
      page.map(async (document) => {
        const { position } = document;
        const target = byId.get(document.id);
        const fields = fieldsOf(document);
        if (target?.position !== position || isDeepStrictEqual(fieldsOf(target), fields)) return;
        await store.compareAndSet(to, { ...target, ...fields }, { position });
      }),
    );
  }
};
