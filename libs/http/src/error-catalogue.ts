import type { ErrorCode } from '#kernel';

export interface ErrorEntry {
  readonly status: number;
  /** The text for the caller; it contains nothing internal. */
  readonly message: string;
}

/** Status and wording of every code that the API answers with (D2, D3). */
export const ERROR_CATALOGUE: Readonly<Record<ErrorCode, ErrorEntry>> = {
  invalid_request: { status: 400, message: 'The request is not valid; see the details.' },
  unauthorized: { status: 401, message: 'Provide a valid live API key.' },
  forbidden: { status: 403, message: 'The API key does not have the scope for this operation.' },
  not_found: { status: 404, message: 'This agency has no such resource.' },
  method_not_allowed: { status: 405, message: 'The resource does not support this method.' },
  request_timeout: { status: 408, message: 'The request did not arrive in full within 30 seconds.' },
  uri_too_long: { status: 414, message: 'The path and query are longer than 16 KiB.' },
  payload_too_large: { status: 413, message: 'The request body is larger than 16 KiB.' },
  unsupported_media_type: { status: 415, message: 'The request body must be application/json.' },
  rate_limited: { status: 429, message: 'Too many requests. Slow down and retry with backoff.' },
  request_header_fields_too_large: { status: 431, message: 'The header fields are larger than 16 KiB in total.' },
  scan_limit_reached: { status: 429, message: 'The creator has used its manual scans for the last 24 hours.' },
  agency_verification_unavailable: {
    status: 503,
    message: 'The agency cannot be verified right now. Retry with backoff.',
  },
  agency_account_required: { status: 403, message: 'The agency must complete its onboarding.' },
  agency_kyc_required: { status: 403, message: "The agency's KYC is not approved." },
  agency_owner_changed: { status: 403, message: 'The agency has a new owner, who must issue new API keys.' },
  agency_key_reissue_required: { status: 403, message: 'The API key belongs to an earlier binding. Issue a new one.' },
  svc_engine_not_configured: { status: 503, message: 'No provider is configured for this operation.' },
  creator_invitation_pending: {
    status: 409,
    message: 'The creator has not yet accepted the invitation and completed onboarding.',
  },
  creator_not_eligible: {
    status: 409,
    message: 'The creator is not eligible. Check its membership, onboarding, authorization and entitlement.',
  },
  creator_rebinding_required: { status: 409, message: 'The creator belongs to an earlier binding of the agency.' },
  creator_onboarding_completed: { status: 409, message: 'The creator has already completed onboarding.' },
  external_id_conflict: { status: 409, message: 'This external ID or user is already enrolled with different data.' },
  capacity_reached: { status: 409, message: 'The agency has no free creator capacity.' },
  native_case_managed_by_svc: {
    status: 409,
    message: 'The case does not come from a verified API scan. It is managed on the platform.',
  },
  scan_in_progress: { status: 409, message: 'A scan of this creator is already pending.' },
  idempotency_conflict: { status: 409, message: 'The idempotency key was already used with a different request.' },
  internal_error: { status: 500, message: 'An unexpected error occurred. Report the request ID to the operators.' },
  provider_invalid_response: { status: 502, message: 'A provider returned a response that cannot be used.' },
  provider_unavailable: { status: 503, message: 'A provider is temporarily unavailable. Retry with backoff.' },
  provider_timeout: { status: 504, message: 'A provider did not respond in time. Retry with backoff.' },
  session_required: { status: 401, message: 'You are signed out. Sign in again.' },
  agency_choice_required: { status: 400, message: 'Choose an agency with the query parameter `agency`.' },
};

/** The dashboard's messages for errors whose API message mentions keys. */
export const DASHBOARD_MESSAGES: Partial<Readonly<Record<ErrorCode, string>>> = {
  forbidden: 'Your role does not allow this.',
  not_found: 'Not found, or not part of this agency.',
  rate_limited: 'Too many requests. Wait for the number of seconds in Retry-After.',
};
