import type { ErrorCode } from '#kernel';

const RETRY =
  'Repeat the request later, with longer and longer waits. A repeat under the same idempotency key is safe.';
const OWNER = 'The owner of the agency has to act: see Overview.';
const STATE = 'Read the resource, and send the request only in a state that allows it.';

/** What a developer does about each refusal of the API. */
const REMEDIES: Partial<Record<ErrorCode, string>> = {
  invalid_request: 'Correct the fields that are named; the answer says what each has to be.',
  forbidden: 'The key lacks the scope. Create a key that may read and write, and use that one.',
  not_found: 'Compare the id and the path with the documentation. Ids of other agencies are not found either.',
  method_not_allowed: 'Use one of the methods that the header Allow names.',
  request_timeout: 'The request did not arrive within 30 seconds: check the network between your backend and the API.',
  uri_too_long: 'Send fewer or shorter query parameters.',
  request_header_fields_too_large: 'Send fewer or shorter headers.',
  payload_too_large: 'Send a shorter body.',
  unsupported_media_type: 'Send JSON, with Content-Type: application/json.',
  rate_limited: 'Wait as long as the header Retry-After says, and spread the requests over the minute.',
  scan_limit_reached: 'Wait until the oldest manual scan of the creator is 24 hours old; scheduled scans go on.',
  agency_verification_unavailable: RETRY,
  agency_account_required: OWNER,
  agency_kyc_required: OWNER,
  agency_owner_changed: OWNER,
  agency_key_reissue_required: 'The key belongs to an earlier binding. Create a new key, and use that one.',
  svc_engine_not_configured: 'The service has no provider for this operation; its operators have to configure one.',
  creator_invitation_pending: 'Wait until the creator has accepted the invitation, or resend it.',
  creator_not_eligible: 'Read the creator: its mandate, entitlement or onboarding is missing at the platform.',
  creator_rebinding_required: 'Enroll the creator again: it belongs to an earlier binding.',
  creator_onboarding_completed: STATE,
  external_id_conflict:
    'Use the external id and the user that belong together, or read the creator that has one of them.',
  capacity_reached: 'Pause a creator, withdraw an invitation, or extend the plan on the platform.',
  native_case_managed_by_svc: 'The case was not found by a scan of the API; it is handled on the platform.',
  scan_in_progress: 'Wait for the scan that is pending; its events say when it ends.',
  idempotency_conflict: 'Use a new idempotency key for other input.',
  internal_error: 'Tell the operators of the service the request id.',
  provider_invalid_response: RETRY,
  provider_unavailable: RETRY,
  provider_timeout: RETRY,
};

export const remedyOf = (code: ErrorCode | null): string =>
  (code === null ? undefined : REMEDIES[code]) ?? 'Tell the operators of the service the request id.';
