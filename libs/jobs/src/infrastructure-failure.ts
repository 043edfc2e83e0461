import { DomainError, type ErrorCode, Fenced, StoreUnavailable, WrongExpectedRevision } from '#kernel';

/** These refusals depend only on outside systems, so the same work may succeed later. */
const OUTSIDE_CODES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'agency_verification_unavailable',
  'agency_account_required',
  'agency_kyc_required',
  'agency_owner_changed',
  'agency_key_reissue_required',
  'svc_engine_not_configured',
  'provider_invalid_response',
  'provider_unavailable',
  'provider_timeout',
]);

/** The names of DOM exceptions after a timeout or an abort. */
const ABORT_NAMES: ReadonlySet<string> = new Set(['AbortError', 'TimeoutError']);

/** Such work is retried for as long as it lasts, and that is no try of D67. Any other error is caused by the item itself. */
export const isInfrastructureFailure = (error: unknown): boolean => {
  if (error instanceof StoreUnavailable || error instanceof Fenced || error instanceof WrongExpectedRevision)
    return true;
  if (error instanceof DomainError) return OUTSIDE_CODES.has(error.code);
  // Compared by name, because errors of timers and sockets may belong to another realm.
  return typeof error === 'object' && error !== null && 'name' in error && ABORT_NAMES.has(String(error.name));
};
