import { type Document, type ImpersonationId, projection } from '#kernel';
import { BY_CREATOR, ListByCreator } from '#projections';
import type { ImpersonationEvent } from '../domain/impersonation.events.js';
import { type KnownImpersonation, recordOf } from '../domain/impersonation.js';

/** What a PublicImpersonation is made from: the folded stream, or its row in the list. */
export type ImpersonationRow = Pick<KnownImpersonation, 'impersonationId' | 'creatorId' | 'available' | 'record'>;

export interface ImpersonationDocument extends ImpersonationRow, Document {
  readonly id: ImpersonationId;
}

const byImpersonationId = {
  documents: ({ data }: { data: { impersonationId: ImpersonationId } }) => data.impersonationId,
};

export const impersonationListProjection = projection<ImpersonationDocument, ImpersonationEvent>({
  name: 'impersonations',
  version: 1,
  indexes: [BY_CREATOR],
  on: {
    'impersonation.opened.v1': {
      ...byImpersonationId,
      fold: (_, { data }) => {
        const { impersonationId, creatorId } = data;
        return { id: impersonationId, impersonationId, creatorId, available: true, record: recordOf(data) };
      },
    },
    'impersonation.changed.v1': {
      ...byImpersonationId,
      fold: (row, { data }) => row && { ...row, record: recordOf(data) },
    },
    'impersonation.removed.v1': { ...byImpersonationId, fold: (row) => row && { ...row, available: false } },
    'impersonation.restored.v1': {
      ...byImpersonationId,
      fold: (row, { data }) => row && { ...row, available: true, record: recordOf(data) },
    },
  },
});

/** The synchronization learns from it only which streams it does not have to read, as it may lag. */
export class ImpersonationList extends ListByCreator<ImpersonationDocument> {}
