import type { ErrorCode } from '#kernel';

const RETRY = 'Repeat the request with increasing waits. Repeating it with the same idempotency key is safe.';
const OWNER = 'The owner of the agency has to act: see Overview.';
const REPORT = 'Send the request id to the operators of the service.';

const REMEDIES: Partial<Record<ErrorCode, string>> = {
  invalid_request: 'Correct the named fields. The answer says what is wrong with each of them.',
  forbidden: 'The key lacks the scope. Create a key that may read and write, and use it.',
  not_found: 'Compare the id and the path with the documentation. Ids of other agencies are not found either.',
  method_not_allowed: 'Use one of the methods in the header Allow.',
  request_timeout: 'The request did not arrive within 30 seconds: check the network between your backend and the API.',
  uri_too_long: 'Send fewer or shorter query parameters.',
  request_header_fields_too_large: 'Send fewer or shorter headers.',
  payload_too_large: 'Send a shorter body.',
  unsupported_media_type: 'Send JSON, with Content-Type: application/json.',
  rate_limited: 'Wait as long as the header Retry-After says, and spread the requests over the minute.',
  scan_limit_reached: 'Wait until the oldest manual scan of the creator is 24 hours old; scheduled scans continue.',
  agency_verification_unavailable: RETRY,
  agency_account_required: OWNER,
  agency_kyc_required: OWNER,
  agency_owner_changed: OWNER,
  agency_key_reissue_required: 'The key belongs to an earlier binding. Create a new key and use it.',
  svc_engine_not_configured: 'The service has no provider for this operation. Its operators have to configure one.',
  creator_invitation_pending: 'Wait until the creator has accepted the invitation, or resend it.',
  creator_not_eligible:
    'Read the creator: its membership, onboarding, authorization or entitlement is missing on the platform.',
  creator_rebinding_required: 'Enroll the creator again: it belongs to an earlier binding.',
  creator_onboarding_completed: 'Read the resource, and send the request only in a state that allows it.',
  external_id_conflict: 'Send the external id and the user that belong together, or read the creator with one of them.',
  capacity_reached: 'Pause a creator, withdraw an invitation, or extend the plan on the platform.',
  native_case_managed_by_svc: 'No API scan found the case. Handle it on the platform.',
  scan_in_progress: 'Wait for the pending scan; its events say when it ends.',
  idempotency_conflict: 'Use a new idempotency key for different input.',
  internal_error: REPORT,
  provider_invalid_response: RETRY,
  provider_unavailable: RETRY,
  provider_timeout: RETRY,
};

export const remedyOf = (code: ErrorCode | null): string => (code && REMEDIES[code]) ?? REPORT;
