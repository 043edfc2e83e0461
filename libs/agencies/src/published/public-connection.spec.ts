import { describe, expect, it } from '@jest/globals';
import { agencyId, derivedId, type UserId } from '#kernel';
import { type VerifiedAgency, workspaceOf } from '../domain/agency.js';
import type { IssuedKey } from '../domain/api-key.js';
import { publicConnection, publicWorkspace } from './public-connection.js';

const lumen = agencyId('ag_lumen');
const ownerUserId = '0a000000-0000-4000-8000-000000000001' as UserId;
const agency: VerifiedAgency = {
  native: { id: lumen, name: 'Lumen', onboardingComplete: true, kycStatus: 'approved', ownerUserId },
  binding: { status: 'bound', agencyId: lumen, workspaceId: workspaceOf(lumen), epoch: 2, ownerUserId, boundAt: 1_000 },
};
const key: IssuedKey = {
  keyId: derivedId('key', 'one'),
  agencyId: lumen,
  workspaceId: workspaceOf(lumen),
  epoch: 2,
  name: 'backend',
  scopes: ['workspaces:read', 'creators:read'],
  expiresAt: 9_000,
  secretHash: 'ab'.repeat(32),
};
const summary = { id: workspaceOf(lumen), external_id: 'ag_lumen', name: 'Lumen' };

it('the workspace is the first binding of the agency, under the name that the platform has now (D22)', () => {
  expect(publicWorkspace(agency)).toStrictEqual({ ...summary, created_at: 1_000, simulated: false });
});

describe('the connection', () => {
  it('has whom the key belongs to and what it may, and neither its secret nor its owner', () => {
    expect(publicConnection(key, agency, true)).toStrictEqual({
      partner: { id: 'ag_lumen', name: 'Lumen', kind: 'agency' },
      workspace_id: workspaceOf(lumen),
      key_id: key.keyId,
      scopes: ['workspaces:read', 'creators:read'],
      expires_at: 9_000,
      environment: 'live',
      workspaces: [summary],
      engine_configured: true,
      simulated: false,
    });
  });

  it('shows no workspace to a key that may not read it', () => {
    expect(publicConnection({ ...key, scopes: ['creators:read'] }, agency, false)).toMatchObject({
      workspace_id: workspaceOf(lumen),
      workspaces: [],
      engine_configured: false,
    });
  });
});
