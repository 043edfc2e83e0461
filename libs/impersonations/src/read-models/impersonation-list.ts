import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { BY_CREATOR, ListByCreator, type ListPage, type ListPageQuery } from '#creators';
import { type CreatorId, type Document, type ImpersonationId, projection, type WorkspaceId } from '#kernel';
import { DeadLetterList, requireComplete } from '#projections';
import { type ImpersonationEvent, type KnownImpersonation, recordOf } from '../domain/impersonation.js';

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

type ImpersonationPage = ListPage<ImpersonationDocument, ImpersonationId>;

export class ListImpersonations extends Query<ImpersonationPage> {
  constructor(
    readonly workspaceId: WorkspaceId,
    readonly creatorId: CreatorId,
    readonly page: ListPageQuery<ImpersonationId>,
  ) {
    super();
  }
}

@QueryHandler(ListImpersonations)
export class ListImpersonationsHandler implements IQueryHandler<ListImpersonations> {
  constructor(
    private readonly list: ImpersonationList,
    private readonly deadLetters: DeadLetterList,
  ) {}

  async execute({ workspaceId, creatorId, page }: ListImpersonations): Promise<ImpersonationPage> {
    const found = await this.list.page(creatorId, page);
    await requireComplete(this.deadLetters, workspaceId, [impersonationListProjection.name]);
    return found;
  }
}
