import type * as document from './generated/types.gen.js';

export type {
  Activity,
  Capacity,
  Case,
  Connection,
  DeindexRequest,
  EnrollCreatorBody,
  Impersonation,
  ReportImpersonationBody,
  RequestDeindexBody,
  Scan,
  SetProtectionBody,
  UpdateCreatorBody,
  Usage,
  Workspace,
} from './generated/types.gen.js';

/** The answer to an enrollment; `email_sent` is there if it is new (201). */
export type Creator = document.Creator & Partial<Pick<document.EnrolledCreator, 'email_sent'>>;
export type FullCreator = document.FullCreator;

export type ErrorBody = document.Error;
/** The codes that this version knows, and `unexpected_response` for what is no answer of the service. */
export type ErrorCode = document.Error['error']['code'] | 'unexpected_response' | (string & {});
export interface ErrorDetail {
  readonly field: string;
  readonly message: string;
}
