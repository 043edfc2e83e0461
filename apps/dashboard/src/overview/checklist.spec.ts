import { describe, expect, it } from '@jest/globals';
import type { AgencyDescription, ListedKey } from '#agencies';
import { agencyId, DAY, derivedId, type UserId } from '#kernel';
import { checklistOf, revokedByBinding, type Setup, stateOf, warningsOf } from './checklist.js';

const lumen = agencyId('ag_lumen');
const ana = '0a000000-0000-4000-8000-000000000001' as UserId;
const ben = '0a000000-0000-4000-8000-000000000002' as UserId;
const NOW = 1_700_000_000_000;

const native = { id: lumen, name: 'Lumen', onboardingComplete: true, kycStatus: 'approved', ownerUserId: ana } as const;
const binding = {
  status: 'bound',
  agencyId: lumen,
  workspaceId: derivedId('workspace', 'lumen'),
  epoch: 1,
  ownerUserId: ana,
  boundAt: 5,
} as const;
const bound: AgencyDescription = { native, binding };

const key = (changes: Partial<ListedKey> = {}): ListedKey => ({
  id: 'key_1',
  agencyId: lumen,
  epoch: 1,
  name: 'backend',
  scopes: [],
  lastFour: null,
  createdAt: 7,
  expiresAt: null,
  revokedAt: null,
  status: 'active',
  lastUsedAt: null,
  ...changes,
});
const endpoint = (changes: { failingSince?: number; firstDeliveredAt?: number } = {}) => ({
  id: derivedId('webhookEndpoint', 'one'),
  url: 'https://hooks.example/',
  status: 'active' as const,
  createdAt: 9,
  failingSince: null,
  firstDeliveredAt: null,
  ...changes,
});
const steps = (changes: Partial<Setup> = {}) => {
  return checklistOf({ description: bound, keys: [], endpoints: [], ...changes })
    .filter(({ done }) => done)
    .map(({ step }) => step);
};

describe('the checklist', () => {
  it('shows what is done, and since when', () => {
    const keys = [key({ createdAt: 8, lastUsedAt: 20 }), key()];
    const all = checklistOf({
      description: bound,
      keys,
      endpoints: [endpoint({ firstDeliveredAt: 12 }), endpoint({ firstDeliveredAt: 11 })],
    });
    expect(all).toEqual([
      { step: 'verified', done: true, at: null },
      { step: 'bound', done: true, at: 5 },
      { step: 'key_issued', done: true, at: 7 },
      { step: 'first_call', done: true, at: null },
      { step: 'endpoint_registered', done: true, at: 9 },
      { step: 'first_delivery', done: true, at: 11 },
    ]);
  });

  it('opens again what was undone', () => {
    expect(steps({ keys: [key({ status: 'revoked' })] })).toEqual(['verified', 'bound']);
    expect(steps({ endpoints: [{ ...endpoint(), status: 'disabled' }] })).toEqual(['verified', 'bound']);
    expect(steps({ description: { ...bound, native: { ...native, kycStatus: 'rejected' } } })).toEqual(['bound']);
    expect(steps({ description: { ...bound, native: { ...native, ownerUserId: ben } } })).toEqual(['verified']);
  });

  it('takes an agency for its bound owner’s while the platform does not answer', () => {
    expect(steps({ description: { ...bound, native: 'unavailable' } })).toEqual(['bound']);
    expect(stateOf({ ...bound, native: undefined })).toBe('bound');
    expect(stateOf({ native, binding: undefined })).toBe('unbound');
  });
});

it('a binding revokes what works now', () => {
  const keys = [key(), key({ status: 'expired' }), key({ status: 'earlier_binding' })];
  expect(revokedByBinding({ keys, endpoints: [endpoint(), { ...endpoint(), status: 'disabled' }] })).toEqual({
    keys: 1,
    endpoints: 1,
  });
});

describe('warnings', () => {
  it.each([
    [14 * DAY, 'active', 1],
    [14 * DAY + 1, 'active', 0],
    [DAY, 'revoked', 0],
  ] as const)('a key that ends in %d ms and is %s: %d', (left, status, count) => {
    expect(
      warningsOf({ description: bound, keys: [key({ expiresAt: NOW + left, status })], endpoints: [] }, 0, NOW),
    ).toHaveLength(count);
  });

  it('name the key, the endpoint and the time', () => {
    const failing = endpoint({ failingSince: NOW - 4 * DAY });
    const description: AgencyDescription = { ...bound, native: 'unavailable' };
    const seen = { description, keys: [key({ expiresAt: NOW })], endpoints: [failing] };
    expect(warningsOf(seen, 2, NOW)).toMatchObject([
      { kind: 'platform_unavailable' },
      {
        kind: 'key_ends',
        id: 'key_1',
        at: NOW,
        message: expect.stringContaining('backend expires on 2023-11-14 22:13 UTC'),
      },
      { kind: 'endpoint_fails', id: endpoint().id, message: expect.stringContaining('2023-11-15 22:13 UTC') },
      { kind: 'records_left_out', message: expect.stringContaining('2 records') },
    ]);
  });
});
