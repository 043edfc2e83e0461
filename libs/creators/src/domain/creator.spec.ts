import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DomainError, type Effect } from '#kernel';
import { at, folded } from '#testing';
import type { CreatorEvent } from './creator.events.js';
import {
  active,
  byImport,
  byInvitation,
  byLink,
  creatorOf,
  enrolling,
  fact,
  goodStanding,
  imported,
  invited,
  invitee,
  joined,
  linked,
  miaUser,
  native,
  nativeInvitation,
  standingObserved,
  submitted,
  WEEK_LATER,
} from './creator.fixtures.js';
import { creatorDecider } from './creator.js';
import {
  type Authorization,
  authorizationAt,
  authorizationEnd,
  type CreatorState,
  type EnrolledCreator,
  isAccessible,
  isEligible,
} from './creator.state.js';
import { callFrom } from './effects.fixtures.js';
import {
  enrollByInvitation,
  enrollByLink,
  importCreator,
  observeInvitation,
  rebind,
  recordInvitation,
} from './enrollment/enrollment.js';
import { observeLapse, observeMissing, observeNative, recordIdentityWrite } from './membership/observation.js';
import { abandonActivation, pauseProtection, recordSlotCall, requestActivation } from './protection/protection.js';

describe('the beginning of a creator', () => {
  it.each([
    ['a link', byLink],
    ['an invitation', byInvitation],
    ['an import', byImport],
  ])('enrollment never activates: %s', (_via, event) => {
    expect(folded(creatorDecider, [at(5_000, event)])).toMatchObject({
      status: 'known',
      createdAt: 5_000,
      epoch: 1,
      protection: { status: 'not_activated' },
      slot: { isWanted: false, isConfirmed: true },
      membership: { status: 'current' },
      standing: null,
    });
  });

  it('comes before everything else', () => {
    for (const event of [...joined.slice(1), ...active.slice(1)]) {
      expect(folded(creatorDecider, [event])).toEqual({ status: 'unknown' });
    }
  });

  it('happens once', () => {
    for (const event of [byLink, byInvitation, byImport]) {
      expect(creatorOf([...linked, at(9_000, event)])).toEqual(creatorOf(linked));
    }
  });

  it('an event of a newer service changes nothing', () => {
    const event = { type: 'creator.praised.v1', data: {} } as unknown as CreatorEvent;
    expect(folded(creatorDecider, [...linked, event])).toEqual(creatorOf(linked));
    expect(folded(creatorDecider, [event])).toEqual({ status: 'unknown' });
  });
});

/** Everything that can be decided about a creator, by turns. */
const identity = fc.constantFrom(submitted, native().identity);
const seen = fc.record({
  identity,
  onboardingComplete: fc.boolean(),
  entitlement: fc.constantFrom({ active: true, source: 'agency_plan' }, { active: false, source: null }),
});
const invitation = fc.record({
  status: fc.constantFrom(
    'pending' as const,
    'accepted' as const,
    'onboarded' as const,
    'expired' as const,
    'cancelled' as const,
    'detached' as const,
  ),
  expiresAt: fc.constantFrom(WEEK_LATER, 2 * WEEK_LATER),
});
const nothing = fc.constant(undefined);
const effectOf = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Effect<Value>> =>
  fc.oneof(
    value.map((done): Effect<Value> => ({ outcome: 'done', value: done })),
    fc.constantFrom<Effect<Value>>(
      { outcome: 'refused', code: 'capacity_reached' },
      { outcome: 'refused', code: 'not_found' },
      { outcome: 'unknown', error: new DomainError('provider_timeout') },
    ),
  );

type Decision = (state: CreatorState, now: number) => CreatorEvent[];
const ifKnown =
  (decide: (creator: EnrolledCreator, now: number) => CreatorEvent[]): Decision =>
  (state, now) =>
    state.status === 'known' ? decide(state, now) : [];

const beginning = fc.constantFrom<Decision>(
  (state) => enrollByLink(state, { ...enrolling, userId: miaUser, externalId: 'ext-1', identity: submitted }, native()),
  (state) => importCreator(state, { ...enrolling, externalId: `svc:${miaUser}` }, native()),
  (state) => enrollByInvitation(state, { ...enrolling, externalId: 'ext-1', identity: submitted, invitee }),
);

/** Those that a repeat at the same moment must not add to. */
const repeatable: fc.Arbitrary<Decision> = fc.oneof(
  beginning,
  seen.map((changes) => ifKnown((creator) => observeNative(creator, native(changes)))),
  invitation.map(
    ({ status, expiresAt }): Decision =>
      (state) =>
        observeInvitation(state, nativeInvitation(status, { expiresAt })),
  ),
  effectOf(seen.map((changes) => native(changes))).map(
    (effect): Decision =>
      (state) =>
        recordIdentityWrite(state, effect, callFrom(state)),
  ),
  fc.integer({ min: 1, max: 3 }).map(
    (epoch): Decision =>
      (state) =>
        rebind(state, epoch),
  ),
  fc.constant<Decision>(observeLapse),
  fc.constant(ifKnown((creator, now) => requestActivation(creator, { activationId: `act-${now}`, epoch: 1 }, now))),
  effectOf(nothing).map(
    (effect): Decision =>
      (state) =>
        recordSlotCall(state, effect, callFrom(state)),
  ),
  fc.constant(ifKnown((creator) => abandonActivation(creator, 'unsettled'))),
  fc.constant(ifKnown((creator) => pauseProtection(creator, 'api_request'))),
);

/** Those that speak of one more try, or of one more look. */
const countable: fc.Arbitrary<Decision> = fc.oneof(
  effectOf(invitation.map(({ status, expiresAt }) => nativeInvitation(status, { expiresAt }))).map(
    (effect): Decision =>
      (state) =>
        recordInvitation(state, effect),
  ),
  fc.boolean().map(
    (isSynchronizing): Decision =>
      (state, now) =>
        observeMissing(state, isSynchronizing ? { began: now, now } : null),
  ),
);

const story = fc.tuple(beginning, fc.array(fc.oneof(repeatable, countable), { maxLength: 30, size: 'max' }));

const decided = (state: CreatorState, decide: Decision, now: number): CreatorEvent[] => {
  try {
    return decide(state, now);
  } catch (error) {
    expect(error).toBeInstanceOf(DomainError);
    return [];
  }
};

const step = (state: CreatorState, events: readonly CreatorEvent[], now: number): CreatorState =>
  events.reduce((before, event) => creatorDecider.evolve(before, JSON.parse(JSON.stringify(event)), now), state);

const replay = (
  [first, rest]: [Decision, Decision[]],
  look: (before: CreatorState, decide: Decision, now: number) => void,
) => {
  let state: CreatorState = creatorDecider.initial;
  [first, ...rest].forEach((decide, index) => {
    const now = (index + 1) * 1_000;
    look(state, decide, now);
    state = step(state, decided(state, decide, now), now);
  });
};

describe('laws of a creator', () => {
  it('any sequence of decisions gives a complete creator, which can be stored and loaded', () => {
    fc.assert(
      fc.property(story, (decisions) => {
        replay(decisions, (before, decide, now) => {
          const after = step(before, decided(before, decide, now), now);
          if (before.status === 'unknown' || after.status === 'unknown') return;
          expect(after).toMatchObject({ creatorId: before.creatorId, createdAt: before.createdAt });
          expect(after.epoch).toBeGreaterThanOrEqual(before.epoch);
          if (before.userId !== null) expect(after.userId).toBe(before.userId);
          expect(JSON.parse(JSON.stringify(after))).toStrictEqual(after);
        });
      }),
    );
  });

  it('D42, D77: protection is active exactly while the slot is wanted without an open activation', () => {
    fc.assert(
      fc.property(story, (decisions) => {
        replay(decisions, (before) => {
          if (before.status === 'unknown') return;
          const hasSlot = before.slot.isWanted && before.slot.activation === null;
          expect(hasSlot).toBe(before.protection.status === 'active');
          if (before.protection.status === 'active') expect(before.userId).not.toBeNull();
          if (before.membership.status === 'ended') expect(before.protection.status).not.toBe('active');
        });
      }),
    );
  });

  it('only confirming activates: not enrollment, acceptance, onboarding, observation or return', () => {
    fc.assert(
      fc.property(story, (decisions) => {
        replay(decisions, (before, decide, now) => {
          const events = decided(before, decide, now);
          const activates = events.some(({ type }) => type === 'creator.protectionActivated.v1');
          const after = step(before, events, now);
          const was = before.status === 'known' && before.protection.status === 'active';
          if (!was && after.status === 'known' && after.protection.status === 'active') expect(activates).toBe(true);
          if (activates) expect(before.status === 'known' && before.slot.activation).toBeTruthy();
        });
      }),
    );
  });

  it('deciding twice adds nothing the second time', () => {
    fc.assert(
      fc.property(story, repeatable, (decisions, decide) => {
        let last: CreatorState = creatorDecider.initial;
        replay(decisions, (before) => {
          last = before;
        });
        const once = step(last, decided(last, decide, 60_000), 60_000);
        expect(decided(once, decide, 60_000)).toEqual([]);
      }),
    );
  });

  it('folding any events in any order never throws', () => {
    const events = [
      ...joined,
      ...active,
      byImport,
      fact('memberNotFound', {}),
      fact('membershipEnded', {}),
      fact('returned', {}),
      fact('slotReleased', {}),
      fact('invitationExpired', {}),
      fact('invitationWithdrawn', { as: 'cancelled' }),
      fact('invitationResent', { emailSent: true, expiresAt: 1 }),
      fact('identityWriteUnknown', {}),
      fact('authorizationLapsed', {}),
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...events), { maxLength: 40, size: 'max' }), (past) => {
        expect(() => folded(creatorDecider, past)).not.toThrow();
      }),
    );
  });
});

const END = '2026-03-01T00:00:00.000Z';
const end = Date.parse(END);
const authorized = (changes: Partial<Authorization> = {}): Authorization => ({
  approved: true,
  status: 'approved',
  expiresAt: END,
  ...changes,
});

describe('an authorization', () => {
  it('D40: holds until the millisecond of its end', () => {
    expect(authorizationAt(authorized(), end - 1)).toEqual(authorized());
    expect(authorizationAt(authorized(), end)).toEqual(authorized({ approved: false, status: 'expired' }));
    expect(authorizationAt(authorized(), end + 1)).toEqual(authorized({ approved: false, status: 'expired' }));
  });

  it('D11: its end is a moment, in any time zone', () => {
    expect(authorizationEnd(authorized())).toBe(end);
    expect(authorizationEnd(authorized({ expiresAt: '2026-03-01T01:00:00+01:00' }))).toBe(end);
  });

  it('without an end holds for good', () => {
    const endless = authorized({ expiresAt: null });
    expect(authorizationEnd(endless)).toBeNull();
    expect(authorizationAt(endless, Number.MAX_SAFE_INTEGER)).toEqual(endless);
  });

  it('that was not approved does not expire: it keeps the status of the platform', () => {
    const rejected = authorized({ approved: false, status: 'rejected' });
    expect(authorizationEnd(rejected)).toBeNull();
    expect(authorizationAt(rejected, end + 1)).toEqual(rejected);
  });
});

describe('eligibility', () => {
  const creator = (...changes: Parameters<typeof standingObserved>) =>
    creatorOf([...linked, standingObserved(...changes)]);

  it('D40: is a current member, onboarded, with an authorization and an entitlement', () => {
    expect(isEligible(creator(), 0)).toBe(true);
  });

  it.each([
    ['before onboarding', { onboardingComplete: false }],
    ['without an approved authorization', { authorization: authorized({ approved: false, status: 'pending' }) }],
    ['after the end of the authorization', { authorization: authorized() }],
    ['without an active entitlement', { entitlement: { active: false, source: 'none' } }],
  ])('D40: is not there %s', (_when, standing) => {
    expect(isEligible(creator(standing), end)).toBe(false);
  });

  it('D40: ends by the clock', () => {
    expect(isEligible(creator({ authorization: authorized() }), end - 1)).toBe(true);
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
