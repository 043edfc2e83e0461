import type * as document from './generated/types.gen.js';

export type {
  Activity,
  Capacity,
  Case,
  Connection,
  Creator,
  DeindexRequest,
  EnrollCreatorBody,
  FullCreator,
  Impersonation,
  ReportImpersonationBody,
  RequestDeindexBody,
  Scan,
  SetProtectionBody,
  UpdateCreatorBody,
  Usage,
  Workspace,
} from './generated/types.gen.js';

export type ErrorBody = document.Error;
/** The codes that this version knows, and `unexpected_response` for an answer that is not the service's. */
export type ErrorCode = document.Error['error']['code'] | 'unexpected_response';
export type ErrorDetail = NonNullable<document.Error['error']['details']>[number];
