import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { DASHBOARD_ERROR_CODES, ERROR_CODES, type ErrorCode } from '#kernel';
import { ERROR_CATALOGUE } from './error-catalogue.js';

const API_PAGE = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8');

/** The codes of each status, as the decisions and the specification define them (D2, D3, D69). */
const STATUSES: Readonly<Record<number, readonly ErrorCode[]>> = {
  400: ['invalid_request'],
  401: ['unauthorized'],
  403: [
    'forbidden',
    'agency_account_required',
    'agency_kyc_required',
    'agency_owner_changed',
    'agency_key_reissue_required',
  ],
  404: ['not_found'],
  405: ['method_not_allowed'],
  408: ['request_timeout'],
  413: ['payload_too_large'],
  414: ['uri_too_long'],
  415: ['unsupported_media_type'],
  429: ['rate_limited', 'scan_limit_reached'],
  431: ['request_header_fields_too_large'],
  500: ['internal_error'],
  502: ['provider_invalid_response'],
  503: ['agency_verification_unavailable', 'svc_engine_not_configured', 'provider_unavailable'],
  504: ['provider_timeout'],
};

const statusOf = (code: ErrorCode): number =>
  Number(Object.entries(STATUSES).find(([, codes]) => codes.includes(code))?.[0] ?? 409);

describe('the catalogue of errors', () => {
  it.each(ERROR_CODES)('D2, D3: gives %s its status, and docs/api.md has the same status and message', (code) => {
    const { status, message } = ERROR_CATALOGUE[code];
    expect(status).toBe(statusOf(code));
    const row = API_PAGE.split('\n').find((line) => line.includes(`\`${code}\``) && line.startsWith(`| ${status} `));
    expect(row?.split('|').map((cell) => cell.trim())).toEqual(['', String(status), `\`${code}\``, message, '']);
  });

  it('has an entry for each code and no other', () => {
    expect(Object.keys(ERROR_CATALOGUE).sort()).toEqual([...ERROR_CODES, ...DASHBOARD_ERROR_CODES].sort());
  });
});
