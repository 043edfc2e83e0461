import { isDeepStrictEqual } from 'node:util';
import { documentPages } from './document-pages.js';
import type { Document, DocumentStore } from './document-store.js';
import type { Projected, Projection } from './projection.js';

type Stored = Projected<Document>;

/**
 * Takes over what the log does not know of documents that both collections have at the same event: who works with them
 * need not begin anew when one takes the place of the other.
 */
export const carryOver = async (
  store: DocumentStore,
  { notFromTheLog = [] }: Projection,
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<void> => {
  if (notFromTheLog.length === 0) return;
  const membersOf = (document: Stored) =>
    Object.fromEntries(Object.entries(document).filter(([name]) => notFromTheLog.includes(name)));
  for await (const page of documentPages<Stored>(store, from, signal)) {
    const theirs = await store.getMany<Stored>(
      to,
      page.map(({ id }) => id),
    );
    const byId = new Map(theirs.map((document) => [document.id, document]));
    await Promise.all(
      page.map(async (document) => {
        const { position } = document;
        const other = byId.get(document.id);
        const members = membersOf(document);
        if (other?.position !== position || isDeepStrictEqual(membersOf(other), members)) return;
        await store.compareAndSet(to, { ...other, ...members }, { position });
      }),
    );
  }
};
