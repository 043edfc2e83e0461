import type { CaseId, CreatorId, Instant, ScanId, WorkspaceId } from '#kernel';

/** What agencies see of a leak record. */
export interface Finding {
  readonly url: string;
  /** The native wording, in any language. */
  readonly status: string;
  readonly statusCode: string;
  readonly actionable: boolean | null;
  readonly deadOnArrival: boolean | null;
  readonly createdAt: Instant;
  /** Moves forward with any change of the record. */
  readonly updatedAt: Instant;
}

interface About {
  readonly caseId: CaseId;
  readonly creatorId: CreatorId;
}

/** A finding as it is kept: its URL apart, as personal. */
export type RecordedFinding = Omit<Finding, 'url'> & { readonly personal: { readonly url: string } };

type Fact<Type extends string, Data extends object> = { readonly type: `case.${Type}.v1`; readonly data: Data };

export type CaseEvent =
  | Fact<'opened', About & RecordedFinding & { workspaceId: WorkspaceId; leakId: string; scanId: ScanId | null }>
  | Fact<'changed', About & RecordedFinding>
  /** The scan whose job found it has become known. */
  | Fact<'attributed', About & { scanId: ScanId }>
  | Fact<'removed', About>
  | Fact<'restored', About & RecordedFinding>;
