import { expect, test } from '@jest/globals';
import type { ERROR_CODES } from '#kernel';
import { CONNECTION_LIMITS } from '../../support/connection-limits.js';
import { ApiClient } from '../support/api-client.js';
import type { Exchange } from '../support/exchange.js';
import { STATUS_OF_CODE } from '../support/holds-everywhere.js';
import { sendRaw } from '../support/raw-http.js';
import { startService } from '../support/start-service.js';

// That no other code is ever sent, and none that the document does not name for its operation, is checked for every
// response of the suite: see support/holds-everywhere.ts.
const service = await startService({ platformHangs: true });
const { platform } = service;

const NOWHERE = '/v1/creators/crt_00000000000000000000000000';
const JSON_TYPE = { 'content-type': 'application/json' };

const agencyThat = async (change: object) => {
  const agency = await service.agency();
  await agency.change(change);
  return agency.api.get('/v1/me');
};

const capacityWhile = async (fault: { readonly kind: string; readonly status?: number }) => {
  const agency = await service.agency();
  await platform.fault({ operation: 'getCapacity', match: { agency_id: agency.id }, ...fault });
  return agency.api.get('/v1/capacity');
};

/** A way to each code; a new one that has none is a type error. */
const WAYS: Readonly<Record<(typeof ERROR_CODES)[number], () => Promise<Exchange>>> = {
  invalid_request: async () => (await service.agency()).api.get('/v1/creators?limit=0'),
  unauthorized: () => new ApiClient(() => service.url, 'svc_test_x').get('/v1/me'),
  forbidden: async () => (await service.agency({ preset: 'read_only' })).api.write('PATCH', NOWHERE, {}),
  not_found: async () => (await service.agency()).api.get(NOWHERE),
  method_not_allowed: async () => (await service.agency()).api.send('DELETE', '/v1/me'),
  request_timeout: async () => {
    const limits = { ...CONNECTION_LIMITS, requestTimeout: 200, checkInterval: 50 };
    const api = await service.startApi(limits);
    const refused = await sendRaw(api.url, 'GET /v1/me HTTP/1.1\r\nhost: x\r\n');
    await api.stop();
    return refused;
  },
  uri_too_long: async () => (await service.agency()).api.get(`/v1/me?${'x'.repeat(16_384)}`),
  request_header_fields_too_large: async () => {
    const { api } = await service.agency();
    return api.send('GET', '/v1/me', { headers: { 'x-long': 'x'.repeat(16_384) } });
  },
  payload_too_large: async () => {
    const { api } = await service.agency();
    return api.send('PATCH', NOWHERE, { headers: JSON_TYPE, body: ' '.repeat(16_385) });
  },
  unsupported_media_type: async () => (await service.agency()).api.send('PATCH', NOWHERE, { body: '{}' }),
  rate_limited: async () => {
    const { api } = await service.agency();
    await service.restart({ rateLimitPerMinute: 1 });
    await api.get('/v1/me');
    const refused = await api.get('/v1/me');
    await service.restart();
    return refused;
  },
  scan_limit_reached: async () => {
    const agency = await service.agency();
    const { id } = await agency.active();
    for (let scan = 0; scan < 5; scan++) await agency.scanThatIs('completed', (await agency.scan(id)).id);
    return agency.api.queueScan(id, 'one more');
  },
  agency_verification_unavailable: async () => {
    const agency = await service.agency();
    await platform.fault({ operation: 'getAgency', match: { agency_id: agency.id }, kind: 'status', status: 500 });
    return agency.api.get('/v1/me');
  },
  agency_account_required: () => agencyThat({ onboarding_complete: false }),
  agency_kyc_required: () => agencyThat({ kyc_status: 'pending' }),
  agency_owner_changed: () => agencyThat({ owner_user_id: crypto.randomUUID() }),
  agency_key_reissue_required: async () => {
    const agency = await service.agency();
    await agency.transferOwnership();
    return agency.api.get('/v1/me');
  },
  svc_engine_not_configured: async () => {
    const agency = await service.agency();
    const { id } = await agency.active();
    await service.restart({ engine: undefined });
    const refused = await agency.api.queueScan(id, 'k');
    await service.restart();
    return refused;
  },
  creator_invitation_pending: async () => {
    const agency = await service.agency();
    return agency.api.protect((await agency.invited()).id, 'active');
  },
  creator_not_eligible: async () => {
    const agency = await service.agency();
    return agency.api.queueScan((await agency.linked()).id, 'k');
  },
  creator_rebinding_required: async () => {
    const agency = await service.agency();
    const { id } = await agency.linked();
    return (await agency.transferOwnership()).api.patch(id, { display_name: 'New' });
  },
  creator_onboarding_completed: async () => {
    const agency = await service.agency();
    return agency.api.remove((await agency.linked()).id);
  },
  external_id_conflict: async () => {
    const agency = await service.agency();
    const { external_id } = await agency.linked();
    return agency.api.enroll(agency.inviteBody({ external_id }));
  },
  capacity_reached: async () => {
    const agency = await service.agency({ slots: 1 });
    await agency.active();
    return agency.api.protect((await agency.linked()).id, 'active');
  },
  native_case_managed_by_svc: async () => {
    const agency = await service.agency();
    const { id, userId } = await agency.linked();
    await agency.leaks(userId, 1);
    const [native] = await agency.api.cases(id);
    return agency.api.requestDeindex(native?.id ?? '', 'k');
  },
  scan_in_progress: async () => {
    const agency = await service.agency();
    const { id } = await agency.active();
    await agency.acceptedScan(id);
    return agency.api.queueScan(id, 'another');
  },
  idempotency_conflict: async () => {
    const agency = await service.agency();
    await agency.scan((await agency.active()).id, 'k');
    return agency.api.queueScan((await agency.active()).id, 'k');
  },
  internal_error: async () => {
    const { api } = await service.agency();
    const { access } = service.services;
    const verify = access.verify.bind(access);
    access.verify = () => Promise.reject(new TypeError('broken within'));
    const head = ['GET /v1/me HTTP/1.1', 'host: x', `authorization: Bearer ${api.secret}`, 'connection: close'];
    // Not by the client, for which a 500 is never right.
    const failed = await sendRaw(service.url, `${head.join('\r\n')}\r\n\r\n`);
    access.verify = verify;
    return failed;
  },
  provider_invalid_response: () => capacityWhile({ kind: 'wrong_shape' }),
  provider_unavailable: () => capacityWhile({ kind: 'status', status: 500 }),
  provider_timeout: () => capacityWhile({ kind: 'hang' }),
};

test.each(Object.entries(WAYS))(
  '%s is reached, in the one envelope and with its status (D2, D3, D4)',
  async (code, way) => {
    const { status, headers, body } = await way();
    expect({ status, body }).toEqual({
      status: { ...STATUS_OF_CODE, internal_error: 500 }[code],
      body: expect.objectContaining({
        error: expect.objectContaining({ code, message: expect.any(String) }),
        request_id: headers['x-request-id'],
      }),
    });
  },
);
