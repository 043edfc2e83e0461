import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { BY_CREATOR, ListByCreator, type ListPage, type ListPageQuery } from '#creators';
import { type CaseId, type CreatorId, type Document, projection, type WorkspaceId } from '#kernel';
import { DeadLetterList, requireComplete } from '#projections';
import { type CaseEvent, findingOf, type KnownCase } from '../domain/case.js';

export type CaseRow = Pick<KnownCase, 'caseId' | 'creatorId' | 'scanId' | 'leakId' | 'available' | 'finding'>;

export interface CaseDocument extends CaseRow, Document {
  readonly id: CaseId;
}

const byCaseId = { documents: ({ data }: { data: { caseId: CaseId } }) => data.caseId };

export const caseListProjection = projection<CaseDocument, CaseEvent>({
  name: 'cases',
  version: 1,
  indexes: [BY_CREATOR],
  on: {
    'case.opened.v1': {
      ...byCaseId,
      fold: (_, { data }) => {
        const { caseId, creatorId, leakId, scanId } = data;
        return { id: caseId, caseId, creatorId, leakId, scanId, available: true, finding: findingOf(data) };
      },
    },
    'case.changed.v1': { ...byCaseId, fold: (row, { data }) => row && { ...row, finding: findingOf(data) } },
    'case.attributed.v1': { ...byCaseId, fold: (row, { data }) => row && { ...row, scanId: data.scanId } },
    'case.removed.v1': { ...byCaseId, fold: (row) => row && { ...row, available: false } },
    'case.restored.v1': {
      ...byCaseId,
      fold: (row, { data }) => row && { ...row, available: true, finding: findingOf(data) },
    },
  },
});

/** The synchronization only uses it to skip streams that need no read, because it may lag. */
export class CaseList extends ListByCreator<CaseDocument> {}

type CasePage = ListPage<CaseDocument, CaseId>;

export class ListCases extends Query<CasePage> {
  constructor(
    readonly workspaceId: WorkspaceId,
    readonly creatorId: CreatorId,
    readonly page: ListPageQuery<CaseId>,
  ) {
    super();
  }
}

@QueryHandler(ListCases)
export class ListCasesHandler implements IQueryHandler<ListCases> {
  constructor(
    private readonly list: CaseList,
    private readonly deadLetters: DeadLetterList,
  ) {}

  async execute({ workspaceId, creatorId, page }: ListCases): Promise<CasePage> {
    const found = await this.list.page(creatorId, page);
    await requireComplete(this.deadLetters, workspaceId, [caseListProjection.name]);
    return found;
  }
}
