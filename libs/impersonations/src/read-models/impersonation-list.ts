import { type CreatorId, type Document, type ImpersonationId, projection } from '#kernel';
import type { ReadModel } from '#projections';
import type { ImpersonationEvent } from '../domain/impersonation.events.js';
import { type KnownImpersonation, recordOf } from '../domain/impersonation.js';

/** What a PublicImpersonation is made from: the folded stream, or its row in the list. */
export type ImpersonationRow = Pick<KnownImpersonation, 'impersonationId' | 'creatorId' | 'available' | 'record'>;

/** An impersonation as the lists show it; its id is the impersonation's. */
export interface ImpersonationDocument extends ImpersonationRow, Document {}

const about = { documents: ({ data }: { data: { impersonationId: ImpersonationId } }) => data.impersonationId };

/** Every impersonation, by creator, in the order of ids. */
export const impersonationListProjection = projection<ImpersonationDocument, ImpersonationEvent>({
  name: 'impersonations',
  version: 1,
  indexes: [{ name: 'creator', fields: ['creatorId'] }],
  on: {
    'impersonation.opened.v1': {
      ...about,
      fold: (_, { data }) => {
        const { impersonationId, creatorId } = data;
        return { id: impersonationId, impersonationId, creatorId, available: true, record: recordOf(data) };
      },
    },
    'impersonation.changed.v1': {
      ...about,
      fold: (row, { data }) => row && { ...row, record: recordOf(data) },
    },
    'impersonation.removed.v1': {
      ...about,
      fold: (row) => row && { ...row, available: false },
    },
    'impersonation.restored.v1': {
      ...about,
      fold: (row, { data }) => row && { ...row, available: true, record: recordOf(data) },
    },
  },
});

/** May lag, so it tells the synchronisation only which streams it does not have to read. */
export class ImpersonationList {
  constructor(private readonly documents: ReadModel<ImpersonationDocument>) {}

  async getMany(ids: readonly ImpersonationId[]): Promise<ReadonlyMap<ImpersonationId, ImpersonationRow>> {
    const rows = await this.documents.getMany(ids);
    return new Map(rows.map((row) => [row.impersonationId, row]));
  }

  /** A creator's impersonations in the order of ids, after the given one. */
  ofCreator(
    creatorId: CreatorId,
    { limit, after }: { limit: number; after?: ImpersonationId },
  ): Promise<ImpersonationRow[]> {
    return this.documents.find({
      index: 'creator',
      equals: [creatorId],
      limit,
      ...(after !== undefined && { gt: after }),
    });
  }
}
