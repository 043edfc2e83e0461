import { expect, test } from '@jest/globals';
import type { Connection } from '#client';
import { DAY } from '#kernel';
import { startService } from '../support/start-service.js';

const service = await startService();
const agency = await service.agency();

const SCOPES = ['workspaces:read', 'creators:read', 'scans:read', 'cases:read', 'usage:read', 'events:read'];
const WRITE_SCOPES = ['creators:write', 'protection:write', 'scans:write', 'deindex:write'];

test("GET /v1/me shows the key's agency and its scopes (D14, D22)", async () => {
  expect(await agency.api.got<Connection>('/v1/me')).toEqual({
    partner: { id: agency.id, name: `Agency ${agency.id}`, kind: 'agency' },
    workspace_id: agency.workspaceId,
    key_id: agency.keyId,
    scopes: [...SCOPES, ...WRITE_SCOPES],
    expires_at: null,
    environment: 'live',
    workspaces: [{ id: agency.workspaceId, external_id: agency.id, name: `Agency ${agency.id}` }],
    engine_configured: true,
    simulated: false,
  });
});

test('the answer has the exact scopes of the key, and the moment that it expires', async () => {
  const { api } = await agency.issueKey({ preset: 'read_only', lifetime: '30d' });
  const issuedAt = service.clock.now();
  expect(await api.got('/v1/me')).toMatchObject({ scopes: SCOPES, expires_at: issuedAt + 30 * DAY });
});

test('the workspace is the one of the first binding, and its external id is the agency (D22)', async () => {
  const { created_at, ...workspace } = await agency.api.got<{ created_at: number }>(
    `/v1/workspaces/${agency.workspaceId}`,
  );
  const name = `Agency ${agency.id}`;
  expect(workspace).toEqual({ id: agency.workspaceId, external_id: agency.id, name, simulated: false });
  expect(created_at).toBeLessThanOrEqual(service.clock.now());
});

test('capacity is a snapshot of the slots that the agency shares with its dashboard', async () => {
  const agency = await service.agency({ slots: 3 });
  await agency.change({ plan: 'studio', subscription_status: 'active', dashboard_slots: 1 });
  await agency.active();
  expect(await agency.api.got('/v1/capacity')).toEqual({
    plan: 'studio',
    subscription_status: 'active',
    protection_eligible: true,
    total_slots: 3,
    occupied_slots: 2,
    reserved_slots: 0,
    available_slots: 1,
    overflow_slots: 0,
    api_included: true,
    checked_at: new Date(service.clock.now()).toISOString(),
    simulated: false,
  });
});

test('what the plan does not include is shown as the platform says it', async () => {
  const agency = await service.agency();
  const without = { subscription_status: 'past_due', protection_eligible: false, api_included: false };
  await agency.change(without);
  expect(await agency.api.got('/v1/capacity')).toMatchObject(without);
});

test('what is occupied and reserved beyond the total overflows, and nothing is available (D55)', async () => {
  const agency = await service.agency({ slots: 3 });
  await agency.active();
  await agency.active();
  await agency.invited();
  await agency.change({ total_slots: 1 });
  expect(await agency.api.got('/v1/capacity')).toMatchObject({
    total_slots: 1,
    occupied_slots: 2,
    reserved_slots: 1,
    available_slots: 0,
    overflow_slots: 2,
  });
});

test('engine_configured says whether scans can be dispatched', async () => {
  await service.restart({ engine: undefined });
  expect(await agency.api.got('/v1/me')).toMatchObject({ engine_configured: false });
  const { id } = await agency.active();
  expect((await agency.api.queueScan(id, 'k')).outcome).toBe('503 svc_engine_not_configured');
});
