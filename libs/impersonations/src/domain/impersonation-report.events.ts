import { type CreatorId, type ImpersonationId, renamedTypes } from '#kernel';

export interface ReportInput {
  readonly creatorId: CreatorId;
  readonly url: string;
}

/** The input as it is kept: the URL apart, as personal. */
type Recorded = Pick<ReportInput, 'creatorId'> & { readonly personal: Pick<ReportInput, 'url'> };

type Fact<Type extends string, Data extends object> = {
  readonly type: `impersonationReport.${Type}.v1`;
  readonly data: Data;
};

export type ImpersonationReportEvent =
  | Fact<'requested', Recorded>
  /** The answer was lost: the impersonation is opened, or it is not. */
  | Fact<'outcomeLost', Pick<ReportInput, 'creatorId'>>
  | Fact<'refused', Pick<ReportInput, 'creatorId'> & { code: string }>
  | Fact<'made', Recorded & { impersonationId: ImpersonationId }>;

/** Logs of builds up to 0.8 have the types on the left. */
export const impersonationReportUpcasters = renamedTypes<ImpersonationReportEvent['type']>({
  'impersonationReport.done.v1': 'impersonationReport.made.v1',
  'impersonationReport.unknown.v1': 'impersonationReport.outcomeLost.v1',
});
