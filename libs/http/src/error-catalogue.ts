import type { ErrorCode } from '#kernel';

export interface ErrorEntry {
  readonly status: number;
  /** The text for the caller; it contains nothing internal. */
  readonly message: string;
}

/** Status and wording of every code that the API answers with (D2, D3). */
export const ERROR_CATALOGUE: Readonly<Record<ErrorCode, ErrorEntry>> = {
  invalid_request: { status: 400, message: 'The request is not valid; see the details.' },
  unauthorized: { status: 401, message: 'A valid live API key is required.' },
  forbidden: { status: 403, message: 'The key does not have the scope that this operation needs.' },
  not_found: { status: 404, message: 'There is no such resource for this agency.' },
  method_not_allowed: { status: 405, message: 'The resource does not support this method.' },
  request_timeout: { status: 408, message: 'The request did not arrive in full within 30 seconds.' },
  uri_too_long: { status: 414, message: 'The path and query are longer than 16 KiB.' },
  payload_too_large: { status: 413, message: 'The request body is larger than 16 KiB.' },
  unsupported_media_type: { status: 415, message: 'The request body must be application/json.' },
  rate_limited: { status: 429, message: 'The request allowance is used up; slow down and retry with backoff.' },
  request_header_fields_too_large: { status: 431, message: 'The header fields are larger than 16 KiB together.' },
  scan_limit_reached: { status: 429, message: 'The manual scans of the last 24 hours are used up for this creator.' },
  agency_verification_unavailable: { status: 503, message: 'The agency cannot be verified at the moment.' },
  agency_account_required: { status: 403, message: 'The agency has to complete its onboarding.' },
  agency_kyc_required: { status: 403, message: "The agency's KYC is not approved." },
  agency_owner_changed: { status: 403, message: 'The agency has a new owner, who has to issue new credentials.' },
  agency_key_reissue_required: { status: 403, message: 'The key belongs to an earlier binding; issue a new one.' },
  svc_engine_not_configured: { status: 503, message: 'No provider is configured for this operation.' },
  creator_invitation_pending: { status: 409, message: 'The creator has not yet accepted and completed onboarding.' },
  creator_not_eligible: {
    status: 409,
    message: 'The creator lacks what this operation needs; read its current state.',
  },
  creator_rebinding_required: { status: 409, message: 'The creator belongs to an earlier binding of the agency.' },
  creator_onboarding_completed: { status: 409, message: 'The creator has completed onboarding.' },
  external_id_conflict: { status: 409, message: 'The external id or the user is enrolled already, differently.' },
  capacity_reached: { status: 409, message: "The agency's creator capacity is used up." },
  native_case_managed_by_svc: { status: 409, message: 'The case has no verified API scan; it is managed natively.' },
  scan_in_progress: { status: 409, message: 'A scan of this creator is already pending.' },
  idempotency_conflict: { status: 409, message: 'The idempotency key was used with different input.' },
  internal_error: { status: 500, message: 'Something went wrong on our side; the request id helps us find it.' },
  provider_invalid_response: { status: 502, message: 'A provider gave an answer that could not be used.' },
  provider_unavailable: { status: 503, message: 'A provider is unavailable at the moment; retry with backoff.' },
  provider_timeout: { status: 504, message: 'A provider did not answer in time; retry with backoff.' },
  session_required: { status: 401, message: 'Sign in again: there is no session, or it has ended.' },
  agency_choice_required: { status: 400, message: 'Choose an agency: name it as `agency` in the query.' },
};

/** What the dashboard says to a person where the API speaks of keys. */
export const DASHBOARD_MESSAGES: Partial<Readonly<Record<ErrorCode, string>>> = {
  forbidden: 'Your role, or this page, does not allow that.',
  not_found: 'There is nothing here, or not for this agency.',
  rate_limited: 'Too many requests; retry after the seconds of Retry-After.',
};
