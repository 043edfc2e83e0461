import type { CreatorId, Document, IndexDefinition } from '#kernel';
import type { ReadModel } from '#projections';

/** A record that the platform has of a creator, as a read model shows it. */
export interface MemberRecordDocument extends Document {
  readonly creatorId: CreatorId;
  /** False while the platform does not show it. */
  readonly available: boolean;
}

export interface MemberRecordPage<Row extends Document> {
  readonly rows: readonly Row[];
  /** The id after which the next page begins. */
  readonly nextCursor: Row['id'] | null;
}

/** What a page is asked for by: its length, and the id after which it begins. */
export interface MemberRecordQuery<Id extends string> {
  readonly limit: number;
  readonly after?: Id;
}

/** The index that the projection of such a read model needs. */
export const BY_CREATOR: IndexDefinition = { name: 'creator', fields: ['creatorId'] };

/** The records of creators, in the order of ids. It may lag. */
export abstract class MemberRecordList<Row extends MemberRecordDocument> {
  constructor(private readonly documents: ReadModel<Row>) {}

  async getMany(ids: readonly Row['id'][]): Promise<ReadonlyMap<Row['id'], Row>> {
    const rows = await this.documents.getMany(ids);
    return new Map(rows.map((row) => [row.id, row]));
  }

  ofCreator(creatorId: CreatorId, { limit, after }: MemberRecordQuery<Row['id']>): Promise<Row[]> {
    return this.documents.find({
      index: BY_CREATOR.name,
      equals: [creatorId],
      limit,
      ...(after !== undefined && { gt: after }),
    });
  }

  async page(creatorId: CreatorId, query: MemberRecordQuery<Row['id']>): Promise<MemberRecordPage<Row>> {
    const { limit } = query;
    const found = await this.ofCreator(creatorId, { ...query, limit: limit + 1 });
    const rows = found.slice(0, limit);
    return { rows, nextCursor: found.length > limit ? (rows.at(-1)?.id ?? null) : null };
  }
}
