import { type CreatorId, type Document, type IndexDefinition, invalidRequest } from '#kernel';
import type { ReadModel } from './read-model.js';

export interface DocumentOfCreator extends Document {
  readonly creatorId: CreatorId;
}

export interface ListPage<Row extends Document> {
  readonly rows: readonly Row[];
  /** The id after which the next page begins. */
  readonly nextCursor: Row['id'] | null;
}

export interface ListPageQuery<Id extends string> {
  readonly limit: number;
  /** The id after which the page begins. */
  readonly after?: Id;
}

/** Of a page that somebody goes through all the others for. */
const ROWS_PER_PAGE = 200;

/** The index that the projection of such a read model needs. */
export const BY_CREATOR: IndexDefinition = { name: 'creator', fields: ['creatorId'] };

/** A read model by creator, in the order of ids. It may lag. */
export abstract class ListByCreator<Row extends DocumentOfCreator> {
  constructor(private readonly documents: ReadModel<Row>) {}

  async getMany(ids: readonly Row['id'][]): Promise<ReadonlyMap<Row['id'], Row>> {
    const rows = await this.documents.getMany(ids);
    return new Map(rows.map((row) => [row.id, row]));
  }

  ofCreator(creatorId: CreatorId, { limit, after }: ListPageQuery<Row['id']>): Promise<Row[]> {
    return this.documents.find({
      index: BY_CREATOR.name,
      equals: [creatorId],
      limit,
      ...(after !== undefined && { gt: after }),
    });
  }

  async page(creatorId: CreatorId, query: ListPageQuery<Row['id']>): Promise<ListPage<Row>> {
    const { limit } = query;
    const found = await this.ofCreator(creatorId, { ...query, limit: limit + 1 });
    const rows = found.slice(0, limit);
    return { rows, nextCursor: found.length > limit ? (rows.at(-1)?.id ?? null) : null };
  }

  async *pages(creatorId: CreatorId): AsyncGenerator<readonly Row[], void> {
    for (let after: Row['id'] | null | undefined; after !== null; ) {
      const query = { limit: ROWS_PER_PAGE, ...(after !== undefined && { after }) };
      const { rows, nextCursor } = await this.page(creatorId, query);
      yield rows;
      after = nextCursor;
    }
  }
}

type RecordOfCreator = { readonly status: 'unknown' } | { readonly status: 'known'; readonly creatorId: CreatorId };

/** D13: a cursor of another creator's list is none. The stream says whose it is, as the list may not have its record yet. */
export const assertCursorOf = (creatorId: CreatorId, record: RecordOfCreator): void => {
  if (record.status === 'known' && record.creatorId === creatorId) return;
  throw invalidRequest({ field: 'after', message: 'must be a next_cursor of this list' });
};
