import type { CreatorId, Document, IndexDefinition, Instant } from '#kernel';
import type { ReadModel } from './read-model.js';

/** Something of a creator, in the order of the time at which it began. */
export interface DocumentByTime<Id extends string = string> extends Document {
  readonly id: Id;
  readonly creatorId: CreatorId;
  /** The time, then the id. */
  readonly order: string;
}

/** The index that the projection of such a read model needs. */
export const BY_TIME: IndexDefinition = { name: 'time', fields: ['creatorId', 'order'] };

export const documentByTime = <Id extends string>(id: Id, creatorId: CreatorId, at: Instant): DocumentByTime<Id> => ({
  id,
  creatorId,
  order: `${String(at).padStart(15, '0')}:${id}`,
});

export interface NewestPage<Item> {
  readonly items: readonly Item[];
  /** Where the next page begins. */
  readonly nextCursor: string | null;
}

export interface NewestPageQuery {
  readonly limit: number;
  readonly after?: string | undefined;
}

/** The ids of what a creator has, the newest first. */
export const newestOfCreator = async <Id extends string>(
  documents: ReadModel<DocumentByTime<Id>>,
  creatorId: CreatorId,
  { limit, after }: NewestPageQuery,
): Promise<NewestPage<Id>> => {
  const found = await documents.findEntries<'order'>({
    index: BY_TIME.name,
    equals: [creatorId],
    order: 'descending',
    limit: limit + 1,
    ...(after !== undefined && { lt: after }),
  });
  const shown = found.slice(0, limit);
  return {
    items: shown.map(({ id }) => id),
    nextCursor: found.length > limit ? (shown.at(-1)?.order ?? null) : null,
  };
};
