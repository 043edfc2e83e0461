import { type CreatorId, type Document, type IndexDefinition, type Instant, invalidRequest } from '#kernel';
import type { ReadModel } from '#projections';

export interface DocumentByTime<Id extends string = string> extends Document {
  readonly id: Id;
  readonly creatorId: CreatorId;
  /** The time, then the id. */
  readonly order: string;
}

/** The index that the projection of such a read model needs. */
export const BY_TIME: IndexDefinition = { name: 'time', fields: ['creatorId', 'order'] };

/** Sorts by time, and documents of the same time by id. */
export const orderByTime = (at: Instant, id: string): string => `${String(at).padStart(TIME_DIGITS, '0')}:${id}`;
const TIME_DIGITS = 15;

export const timeIn = (order: string): Instant => Number(order.slice(0, TIME_DIGITS));

export const documentByTime = <Id extends string>(id: Id, creatorId: CreatorId, at: Instant): DocumentByTime<Id> => ({
  id,
  creatorId,
  order: orderByTime(at, id),
});

export interface ListPage<Item, Cursor extends string = string> {
  readonly items: readonly Item[];
  readonly nextCursor: Cursor | null;
}

export interface ListPageQuery<Id extends string = string> {
  readonly limit: number;
  readonly after?: Id | undefined;
}

/** The ids of what a creator has, the newest first. */
export const newestOfCreator = async <Id extends string>(
  documents: ReadModel<DocumentByTime<Id>>,
  creatorId: CreatorId,
  { limit, after }: ListPageQuery,
): Promise<ListPage<Id>> => {
  const found = await documents.findEntries<'order'>({
    index: BY_TIME.name,
    equals: [creatorId],
    order: 'descending',
    limit: limit + 1,
    ...(after !== undefined && { lt: after }),
  });
  const shown = found.slice(0, limit);
  return { items: shown.map(({ id }) => id), nextCursor: found.length > limit ? (shown.at(-1)?.order ?? null) : null };
};

/** The time of the latest document of the creator. */
export const latestTimeOf = async (
  documents: ReadModel<DocumentByTime>,
  creatorId: CreatorId,
): Promise<Instant | null> => {
  const query = { index: BY_TIME.name, equals: [creatorId], order: 'descending', limit: 1 } as const;
  const [latest] = await documents.findEntries<'order'>(query);
  return latest === undefined ? null : timeIn(latest.order);
};

export interface DocumentOfCreator extends Document {
  readonly creatorId: CreatorId;
}

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

  async page(creatorId: CreatorId, { limit, after }: ListPageQuery<Row['id']>): Promise<ListPage<Row, Row['id']>> {
    const range = { equals: [creatorId], limit: limit + 1, ...(after !== undefined && { gt: after }) };
    const found = await this.documents.find({ index: BY_CREATOR.name, ...range });
    const items = found.slice(0, limit);
    return { items, nextCursor: found.length > limit ? (items.at(-1)?.id ?? null) : null };
  }

  async *pages(creatorId: CreatorId): AsyncGenerator<readonly Row[], void> {
    for (let after: Row['id'] | null | undefined; after !== null; ) {
      const { items, nextCursor } = await this.page(creatorId, { limit: ROWS_PER_PAGE, after });
      yield items;
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
