import type { CreatorId, ImpersonationId } from '#kernel';

/** A report's input: what a repeat under its key has to match. */
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
  | Fact<'unknown', Pick<ReportInput, 'creatorId'>>
  | Fact<'refused', Pick<ReportInput, 'creatorId'> & { code: string }>
  | Fact<'done', Recorded & { impersonationId: ImpersonationId }>;
