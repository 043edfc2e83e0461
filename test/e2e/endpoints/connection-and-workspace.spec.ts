import { expect, test } from '@jest/globals';
import { DAY } from '#kernel';
import { refusedFields } from '../support/exchange.js';
import type { Connection } from '../support/resources.js';
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

test('the workspaces are left out for a key without workspaces:read (D14)', async () => {
  const api = await agency.keyWith(['creators:read']);
  expect(await api.got('/v1/me')).toMatchObject({ workspaces: [], workspace_id: agency.workspaceId });
});

test('a new name of the agency is shown', async () => {
  await agency.change({ name: 'Vale & Partners' });
  expect(await agency.api.got('/v1/me')).toMatchObject({ partner: { name: 'Vale & Partners' } });
  await agency.change({ name: `Agency ${agency.id}` });
});

test('the workspace is the one of the first binding, and its external id is the agency (D22)', async () => {
  const { created_at, ...workspace } = await agency.api.got<{ created_at: number }>(
    `/v1/workspaces/${agency.workspaceId}`,
  );
  const name = `Agency ${agency.id}`;
  expect(workspace).toEqual({ id: agency.workspaceId, external_id: agency.id, name, simulated: false });
  expect(created_at).toBeLessThanOrEqual(service.clock.now());
});

test("another agency's workspace is 404 (D9)", async () => {
  const other = await service.agency();
  expect((await agency.api.get(`/v1/workspaces/${other.workspaceId}`)).outcome).toBe('404 not_found');
});

test('an enrollment for another workspace is 404, after its input was checked (D1, D9)', async () => {
  const other = await service.agency();
  const body = agency.inviteBody({ workspace_id: other.workspaceId });
  expect((await agency.api.enroll(body)).outcome).toBe('404 not_found');
  expect(refusedFields(await agency.api.enroll({ ...body, display_name: '' }))).toEqual(['display_name']);
  expect((await service.platform.calls('invite')).length).toBe(0);
});

test('engine_configured says whether scans can be dispatched', async () => {
  await service.restart({ engine: undefined });
  expect(await agency.api.got('/v1/me')).toMatchObject({ engine_configured: false });
  const { id } = await agency.active();
  expect((await agency.api.queueScan(id, 'k')).outcome).toBe('503 svc_engine_not_configured');
});
