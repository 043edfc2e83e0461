import { type CaseId, type Document, projection } from '#kernel';
import { BY_CREATOR, ListByCreator } from '#projections';
import type { CaseEvent } from '../domain/case.events.js';
import { findingOf, type KnownCase } from '../domain/case.js';

/** What a Case is made from: the folded stream, or its row in the list. */
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

/** The synchronization learns from it only which streams it does not have to read, as it may lag. */
export class CaseList extends ListByCreator<CaseDocument> {}
