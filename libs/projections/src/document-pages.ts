import type { Document, DocumentStore, IndexDefinition } from '#kernel';

const DOCUMENTS_PER_PAGE = 1_000;
const BY_ID: IndexDefinition = { name: 'ids', fields: [] };

/** All documents of a collection, page by page in the order of their ids. An insertion before the current page is missed. */
export async function* documentPages<D extends Document>(
  store: DocumentStore,
  collection: string,
  signal: AbortSignal,
): AsyncGenerator<readonly D[]> {
  await store.ensure([{ name: collection, indexes: [BY_ID] }]);
  for (let gt = ''; ; ) {
    signal.throwIfAborted();
    const page = await store.find<D>(collection, { index: BY_ID.name, gt, limit: DOCUMENTS_PER_PAGE });
    if (page.length > 0) yield page;
    if (page.length < DOCUMENTS_PER_PAGE) return;
    gt = page.at(-1)?.id ?? gt;
  }
}
