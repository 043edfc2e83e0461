import { describe, expect, it } from '@jest/globals';
import { creatorOf, fact, goodStanding, imported, invited, linked, standingObserved } from './creator.fixtures.js';
import { type Authorization, authorizationAt, authorizationEnd, isAccessible, isEligible } from './creator.state.js';

const END = '2026-03-01T00:00:00.000Z';
const end = Date.parse(END);
const mandate = (changes: Partial<Authorization> = {}): Authorization => ({
  approved: true,
  status: 'approved',
  expiresAt: END,
  ...changes,
});

describe('a mandate', () => {
  it('D40: holds until the millisecond of its end', () => {
    expect(authorizationAt(mandate(), end - 1)).toEqual(mandate());
    expect(authorizationAt(mandate(), end)).toEqual(mandate({ approved: false, status: 'expired' }));
    expect(authorizationAt(mandate(), end + 1)).toEqual(mandate({ approved: false, status: 'expired' }));
  });

  it('D11: its end is a moment, in any time zone', () => {
    expect(authorizationEnd(mandate())).toBe(end);
    expect(authorizationEnd(mandate({ expiresAt: '2026-03-01T01:00:00+01:00' }))).toBe(end);
  });

  it('without an end holds for good', () => {
    const endless = mandate({ expiresAt: null });
    expect(authorizationEnd(endless)).toBeNull();
    expect(authorizationAt(endless, Number.MAX_SAFE_INTEGER)).toEqual(endless);
  });

  it('that was not approved does not expire: it keeps the status of the platform', () => {
    const rejected = mandate({ approved: false, status: 'rejected' });
    expect(authorizationEnd(rejected)).toBeNull();
    expect(authorizationAt(rejected, end + 1)).toEqual(rejected);
  });
});

describe('eligibility', () => {
  const creator = (...changes: Parameters<typeof standingObserved>) =>
    creatorOf([...linked, standingObserved(...changes)]);

  it('D40: is a current member, onboarded, with a mandate and an entitlement', () => {
    expect(isEligible(creator(), 0)).toBe(true);
  });

  it.each([
    ['before onboarding', { onboardingComplete: false }],
    ['without an approved mandate', { authorization: mandate({ approved: false, status: 'pending' }) }],
    ['after the end of the mandate', { authorization: mandate() }],
    ['without an active entitlement', { entitlement: { active: false, source: 'none' } }],
  ])('D40: is not there %s', (_when, standing) => {
    expect(isEligible(creator(standing), end)).toBe(false);
  });

  it('D40: ends by the clock', () => {
    expect(isEligible(creator({ authorization: mandate() }), end - 1)).toBe(true);
  });

  it('D43: is not there while the creator is missing, nor after its membership ended', () => {
    expect(isEligible(creatorOf([...linked, fact('memberNotFound', {})]), 0)).toBe(false);
    expect(isEligible(creatorOf([...linked, fact('memberNotFound', {}), fact('membershipEnded', {})]), 0)).toBe(false);
    expect(isEligible(creatorOf([...linked, fact('memberNotFound', {}), fact('memberFound', {})]), 0)).toBe(true);
  });

  it('a creator without a native user is not eligible', () => {
    expect(isEligible(creatorOf(invited), 0)).toBe(false);
  });

  it('an imported creator may be: it needs no enrollment', () => {
    expect(isEligible(creatorOf(imported), 0)).toBe(goodStanding.entitlement.active);
  });
});

describe('whether an agency can see a creator', () => {
  it('D9: it can see every creator that it enrolled or that is a member', () => {
    expect(isAccessible(creatorOf(linked))).toBe(true);
    expect(isAccessible(creatorOf(imported))).toBe(true);
    expect(isAccessible(creatorOf(invited))).toBe(true);
  });

  it('D38: a cancelled or detached one stays readable', () => {
    expect(isAccessible(creatorOf([...invited, fact('invitationWithdrawn', { as: 'cancelled' })]))).toBe(true);
    expect(isAccessible(creatorOf([...invited, fact('invitationWithdrawn', { as: 'detached' })]))).toBe(true);
  });

  it('D28: it cannot see a creator of which only the reservation was kept', () => {
    const refused = fact('invitationRefused', { code: 'capacity_reached' });
    expect(isAccessible(creatorOf([...invited.slice(0, 1), refused]))).toBe(false);
  });

  it('D43: a missing one is hidden immediately, an ended one stays hidden, one that returns is shown again', () => {
    const missing = [...linked, fact('memberNotFound', {})];
    expect(isAccessible(creatorOf(missing))).toBe(false);
    expect(isAccessible(creatorOf([...missing, fact('membershipEnded', {})]))).toBe(false);
    expect(isAccessible(creatorOf([...missing, fact('membershipEnded', {}), fact('returned', {})]))).toBe(true);
  });

  it('there is nothing to see of an unknown one', () => {
    expect(isAccessible({ status: 'unknown' })).toBe(false);
  });
});
