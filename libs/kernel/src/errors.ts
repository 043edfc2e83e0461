import { type Branded, type CreatorId, ID_PREFIXES, type IdKind, parseId } from './ids.js';

/** All error codes of the API. The API app decides status and wording (D2, D3). */
export const ERROR_CODES = [
  'invalid_request',
  'unauthorized',
  'forbidden',
  'not_found',
  'method_not_allowed',
  'request_timeout',
  'uri_too_long',
  'request_header_fields_too_large',
  'payload_too_large',
  'unsupported_media_type',
  'rate_limited',
  'scan_limit_reached',
  'agency_verification_unavailable',
  'agency_account_required',
  'agency_kyc_required',
  'agency_owner_changed',
  'agency_key_reissue_required',
  'svc_engine_not_configured',
  'creator_invitation_pending',
  'creator_not_eligible',
  'creator_rebinding_required',
  'creator_onboarding_completed',
  'external_id_conflict',
  'capacity_reached',
  'native_case_managed_by_svc',
  'scan_in_progress',
  'idempotency_conflict',
  'internal_error',
  'provider_invalid_response',
  'provider_unavailable',
  'provider_timeout',
] as const;

/** The codes that only the dashboard returns, in addition to those of the API. */
export const DASHBOARD_ERROR_CODES = ['session_required', 'agency_choice_required'] as const;

export type ErrorCode = (typeof ERROR_CODES)[number] | (typeof DASHBOARD_ERROR_CODES)[number];

export interface FieldError {
  readonly field: string;
  readonly message: string;
}

export interface ErrorDetail {
  /** The number of whole seconds after which a repeat may succeed. */
  readonly retryAfterSeconds?: number;
  /** Names what is invalid in an `invalid_request`, and what does not exist if a `not_found` is for an operator. */
  readonly fields?: readonly FieldError[];
  /** The creator that a refused enrollment has created nevertheless (D28). */
  readonly creatorId?: CreatorId;
  /** For the caller, instead of the code's general message. */
  readonly says?: string;
  /** For the log only; it is never sent. */
  readonly cause?: unknown;
}

/** A refusal whose code the caller gets. */
export class DomainError extends Error {
  readonly retryAfterSeconds: number | undefined;
  readonly fields: readonly FieldError[];
  readonly creatorId: CreatorId | undefined;
  readonly says: string | undefined;

  constructor(
    readonly code: ErrorCode,
    detail: ErrorDetail = {},
  ) {
    super(code, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.name = 'DomainError';
    this.retryAfterSeconds = detail.retryAfterSeconds;
    this.fields = detail.fields ?? [];
    this.creatorId = detail.creatorId;
    this.says = detail.says;
  }
}

/** Invalid input, with a message for each field (D4). */
export const invalidRequest = (...fields: FieldError[]) => new DomainError('invalid_request', { fields });

/** Shows an operator what does not exist. The API does not show it. */
export const notFound = (field: string, message: string) =>
  new DomainError('not_found', { fields: [{ field, message }] });

/** A filter by an id; another kind's id, or no id, is refused. */
export const idFilter = <Kind extends IdKind>(
  field: string,
  kind: Kind,
  text: string | undefined,
): Branded<Kind> | undefined => {
  if (text === undefined) return undefined;
  const id = parseId(kind, text);
  if (id === undefined) throw invalidRequest({ field, message: `must be an id such as ${ID_PREFIXES[kind]}_…` });
  return id;
};
