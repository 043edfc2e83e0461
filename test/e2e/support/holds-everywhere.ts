import { expect } from '@jest/globals';
import type { ERROR_CODES } from '#kernel';
import { Documented } from './documented.js';
import type { Exchange } from './exchange.js';

/** D2 and D3. A 500 is documented nowhere, and is never right. */
export const STATUS_OF_CODE: Readonly<Record<Exclude<(typeof ERROR_CODES)[number], 'internal_error'>, number>> = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  agency_account_required: 403,
  agency_kyc_required: 403,
  agency_owner_changed: 403,
  agency_key_reissue_required: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  creator_invitation_pending: 409,
  creator_not_eligible: 409,
  creator_rebinding_required: 409,
  creator_onboarding_completed: 409,
  external_id_conflict: 409,
  capacity_reached: 409,
  native_case_managed_by_svc: 409,
  scan_in_progress: 409,
  idempotency_conflict: 409,
  payload_too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  request_header_fields_too_large: 431,
  scan_limit_reached: 429,
  rate_limited: 429,
  provider_invalid_response: 502,
  agency_verification_unavailable: 503,
  svc_engine_not_configured: 503,
  provider_unavailable: 503,
  provider_timeout: 504,
};

/** Matches internals of the service: stack frames, file names, SQL. */
const INTERNAL = /\bat .+:\d+:\d+|node_modules|\.[jt]s\b|\/work\/|SQLITE|undefined|\[object/;

/** The one route whose success is no JSON (D52). */
const REPORT = /^\/v1\/creators\/[^/]+\/report(?:\?|$)/;

const requestIds = new Set<string>();

let documented: Documented | undefined;
let documentedBy = '';

/** From now on every answer is held against this document too. The services of all files have the same one. */
export const holdAgainst = (document: string): void => {
  if (document === documentedBy) return;
  documented = new Documented(JSON.parse(document));
  documentedBy = document;
};

/** Checks the rules for every response to any request (D4, D5, D10, D39, D46, D64, D73); throws if it breaks one. */
export const checkHoldsEverywhere = (exchange: Exchange): void => {
  const { method, path, status, headers, text } = exchange;
  const about = `${method} ${path} → ${status} ${text.slice(0, 500)}`;
  try {
    expect(headers['x-svc-mode']).toBe('live');
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['www-authenticate']).toBe(status === 401 ? 'Bearer' : undefined);
    // D28: a 400 has one where the platform refused the address of an invitation.
    if (status !== 400) expect(headers.location !== undefined).toBe(status === 201 || status === 202);
    expect(headers['x-request-id']).toMatch(/^[\w-]{8,64}$/);
    expect(requestIds.has(String(headers['x-request-id']))).toBe(false);
    requestIds.add(String(headers['x-request-id']));
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    expect(headers['x-powered-by']).toBeUndefined();
    const isReport = status < 400 && REPORT.test(path);
    if (isReport)
      expect(headers['content-disposition']).toMatch(/^attachment; filename="cases-crt_\w{26}-\d{4}(-\d\d){2}\.csv"$/);
    else expect(headers['content-disposition']).toBeUndefined();
    expect(headers['content-type']).toBe(isReport ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8');
    expect(documented?.mismatches(exchange) ?? []).toEqual([]);
    if (isReport) return;
    if (status >= 400) checkError(exchange);
    else expect(exchange.body).toMatchObject({ simulated: false });
  } catch (error) {
    throw new Error(`does not hold for ${about}`, { cause: error });
  }
};

const checkError = ({ status, headers, text, body }: Exchange): void => {
  const { error } = body as { error: { code: string; message: string; details?: unknown } };
  const details = { details: expect.any(Array) };
  expect(body).toStrictEqual({
    error: { code: error.code, message: error.message, ...(error.code === 'invalid_request' && details) },
    request_id: headers['x-request-id'],
  });
  expect(Object.entries(STATUS_OF_CODE)).toContainEqual([error.code, status]);
  if (status === 429) expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
  expect(error.message).toMatch(/^\S.{8,200}$/);
  for (const detail of (error.details ?? []) as object[]) {
    expect(detail).toStrictEqual({ field: expect.any(String), message: expect.any(String) });
  }
  expect(text).not.toMatch(INTERNAL);
};
