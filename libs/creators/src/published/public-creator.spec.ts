import { describe, expect, it } from '@jest/globals';
import { at } from '#testing';
import type { CreatorEvent } from '../domain/creator.events.js';
import {
  activating,
  active,
  agency,
  byInvitation,
  byLink,
  creatorOf,
  fact,
  identityObserved,
  identityWritten,
  imported,
  invited,
  joined,
  linked,
  linking,
  mia,
  miaUser,
  nativeIdentity,
  paused,
  pendingOnboarding,
  standingObserved,
  workspaceId,
} from '../domain/creator.fixtures.js';
import { fullPublicCreator, publicCreator } from './public-creator.js';

const failed = [byInvitation, fact('invitationRefused', { code: 'invitation_rejected' })];
const withdrawn = (as: 'cancelled' | 'detached') => fact('invitationWithdrawn', { as });

describe('the Creator as agencies see it', () => {
  it("has exactly the members of the specification's table", () => {
    expect(publicCreator(creatorOf([at(5_000, byLink), ...linked.slice(1)]))).toStrictEqual({
      id: mia,
      workspace_id: workspaceId,
      external_id: 'ext-1',
      display_name: 'Mia Rose',
      aliases: ['mimi', 'rosie'],
      profile_urls: ['https://onlyfans.com/MiaRose'],
      protection_status: 'not_activated',
      created_at: 5_000,
      enrollment_status: 'linked',
      svc_user_id: miaUser,
      invitation_id: null,
      simulated: false,
      scan_schedule_managed_by: 'api',
      svc_subscription_managed_by: 'svc',
      identity_sync_pending: false,
    });
  });

  it('adds exactly authorization, entitlement and eligibility to the full one', () => {
    const creator = creatorOf(linked);
    expect(fullPublicCreator(creator, 0)).toStrictEqual({
      ...publicCreator(creator),
      authorization: { approved: true, status: 'approved', expires_at: null },
      entitlement: { active: true, source: 'agency_plan' },
      eligible: true,
    });
  });

  it('leaves out a status and a source that the platform did not state', () => {
    const creator = creatorOf([
      ...linked,
      standingObserved({
        authorization: { approved: true, status: null, expiresAt: null },
        entitlement: { active: true, source: null },
      }),
    ]);
    expect(fullPublicCreator(creator, 0)).toStrictEqual({
      ...publicCreator(creator),
      authorization: { approved: true, expires_at: null },
      entitlement: { active: true },
      eligible: true,
    });
  });

  it('holds nothing of the agency, the invitee or the epoch', () => {
    expect(JSON.stringify(fullPublicCreator(creatorOf(invited), 0))).not.toMatch(
      new RegExp(`${agency}|mia@example.com|epoch|invitee|"slot"`),
    );
  });

  it.each<[string, readonly CreatorEvent[], boolean, string | null, string | null]>([
    ['enrolling', [byInvitation], false, null, null],
    ['enrolling', linking, false, miaUser, null],
    ['uncertain', [byInvitation, fact('invitationUnknown', {})], false, null, null],
    ['uncertain', [...linking, fact('identityWriteUnknown', {})], false, miaUser, null],
    ['failed', failed, false, null, null],
    ['invited', invited, false, null, 'inv_1'],
    ['expired', [...invited, fact('invitationExpired', {})], false, null, 'inv_1'],
    ['cancelled', [...invited, withdrawn('cancelled')], false, null, 'inv_1'],
    ['pending_onboarding', pendingOnboarding, true, null, 'inv_1'],
    ['detached', [...pendingOnboarding, withdrawn('detached')], false, null, 'inv_1'],
    ['linked', joined, true, miaUser, 'inv_1'],
    ['linked', [...joined, identityWritten], false, miaUser, 'inv_1'],
    ['linked', linked, false, miaUser, null],
    ['linked', imported, false, miaUser, null],
    ['cancelled', [...failed, withdrawn('cancelled')], false, null, null],
  ])(
    'D29, D30: %s (%#): sync pending, user and invitation',
    (status, past, identitySyncPending, userId, invitationId) => {
      expect(publicCreator(creatorOf(past))).toMatchObject({
        enrollment_status: status,
        identity_sync_pending: identitySyncPending,
        svc_user_id: userId,
        invitation_id: invitationId,
      });
    },
  );

  it.each([
    ['enrolling', [byInvitation]],
    ['invited', invited],
    ['pending onboarding', pendingOnboarding],
    ['failed', failed],
    ['detached', [...pendingOnboarding, withdrawn('detached')]],
  ])('D30: until onboarding shows the submitted identity, no authorization and no entitlement: %s', (_status, past) => {
    const shown = fullPublicCreator(creatorOf(past), 0);
    expect(shown).toMatchObject({
      display_name: 'Mia Rose',
      aliases: ['rosie'],
      profile_urls: ['https://onlyfans.com/MiaRose'],
      eligible: false,
    });
    expect(shown.authorization).toStrictEqual({ approved: false, status: 'missing' });
    expect(shown.entitlement).toStrictEqual({ active: false, source: 'none' });
  });

  it('D30: after onboarding shows what was submitted with what the platform has, until it is written there', () => {
    const merged = {
      display_name: 'Mia Rose',
      aliases: ['mimi', 'rosie'],
      profile_urls: ['https://onlyfans.com/MiaRose'],
    };
    expect(publicCreator(creatorOf(joined))).toMatchObject({ ...merged, identity_sync_pending: true });
    const blank = identityObserved({ displayName: 'Mia', aliases: [], profiles: [] });
    const shown = publicCreator(creatorOf([...joined, blank]));
    expect(shown).toMatchObject({ ...merged, aliases: ['rosie'], identity_sync_pending: true });
    const written = [...joined, identityObserved(nativeIdentity), identityWritten];
    expect(publicCreator(creatorOf(written))).toMatchObject({ aliases: ['mimi'], identity_sync_pending: false });
  });

  it('shows the identity of the native user once there is one', () => {
    expect(publicCreator(creatorOf(imported))).toMatchObject({ display_name: 'Mia R.', external_id: `svc:${miaUser}` });
  });

  it.each([
    ['not_activated', activating],
    ['active', active],
    ['paused', [...active, paused]],
  ])('is %s, like the schedule, in any state of its slot', (status, past) => {
    expect(publicCreator(creatorOf(past)).protection_status).toBe(status);
  });

  it('D40: shows an authorization that has ended as expired, and what hangs on it', () => {
    const authorization = { approved: true, status: 'approved', expiresAt: '2026-03-01T00:00:00.000Z' };
    const creator = creatorOf([...linked, standingObserved({ authorization })]);
    const end = Date.parse(authorization.expiresAt);
    expect(fullPublicCreator(creator, end - 1)).toMatchObject({
      authorization: { approved: true, status: 'approved', expires_at: authorization.expiresAt },
      eligible: true,
    });
    expect(fullPublicCreator(creator, end)).toMatchObject({
      authorization: { approved: false, status: 'expired', expires_at: authorization.expiresAt },
      eligible: false,
    });
  });

  it('D32: leaves out profiles of other platforms, and manyvids without its id', () => {
    const profiles = [
      { platform: 'facebook', username: 'mia', profileId: null },
      { platform: 'mym', username: 'Mia', profileId: null },
      { platform: 'manyvids', username: 'mia', profileId: null },
      { platform: 'manyvids', username: 'mia', profileId: '12' },
    ];
    const identity = { displayName: 'Mia', aliases: [], profiles };
    const creator = creatorOf([...imported, identityObserved(identity)]);
    expect(publicCreator(creator).profile_urls).toEqual([
      'https://mym.fans/Mia',
      'https://www.manyvids.com/Profile/12/mia',
    ]);
  });
});
