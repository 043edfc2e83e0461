import { type CreatorId, type Document, type ImpersonationId, projection } from '#kernel';
import type { ReadModel } from '#projections';
import type { KnownImpersonations } from '../application/ports.js';
import type { ImpersonationEvent } from '../domain/impersonation.events.js';
import { recordOf } from '../domain/impersonation.js';
import type { ImpersonationRow } from '../published/public-impersonation.js';

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

export class ImpersonationList implements KnownImpersonations {
  constructor(private readonly documents: ReadModel<ImpersonationDocument>) {}

  async getMany(ids: readonly ImpersonationId[]): Promise<ReadonlyMap<ImpersonationId, ImpersonationRow>> {
    const rows = await this.documents.getMany(ids);
    return new Map(rows.map((row) => [row.impersonationId, row]));
  }

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
