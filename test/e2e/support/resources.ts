import type { Case, FullCreator, Impersonation } from '#client';

/** An event of any type: the client's own types tell them apart. */
export interface Event {
  readonly id: string;
  readonly type: string;
  readonly workspace_id: string;
  readonly created_at: number;
  readonly data: {
    readonly creator_id: string;
    readonly scan_id?: string;
    readonly case_id?: string;
    readonly svc_job_id?: string;
    readonly status?: string;
    readonly reason?: string;
    readonly scope?: string;
    readonly creator?: FullCreator;
    readonly case?: Case;
    readonly impersonation_id?: string;
    readonly impersonation?: Impersonation;
    readonly deindex_request_id?: string;
    readonly submitted_to_provider?: boolean;
    readonly removal_verified?: boolean;
  };
}
