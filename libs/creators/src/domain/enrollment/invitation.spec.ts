import { describe, expect, it } from '@jest/globals';
import { type Effect } from '#kernel';
import type { CreatorEvent } from '../creator.events.js';
import {
  accepted,
  byInvitation,
  creatorOf,
  enrolling,
  fact,
  imported,
  invited,
  invitee,
  joined,
  linked,
  linking,
  miaUser,
  nativeInvitation,
  pendingOnboarding,
  sent,
  submitted,
  WEEK_LATER,
} from '../creator.fixtures.js';
import { creatorDecider } from '../creator.js';
import type { CreatorState } from '../creator.state.js';
import { done, givenCreator, refused, unknown } from '../effects.fixtures.js';
import type { NativeInvitation } from '../native-records.js';
import {
  awaitsInvitation,
  enrollByInvitation,
  observeInvitation,
  recordInvitation,
  recordInvitationNotFound,
} from './enrollment.js';

const refusal = (code: string) => fact('invitationRefused', { code });

const inDoubt = fact('invitationUnknown', {});

const withdrawn = (as: 'cancelled' | 'detached') => fact('invitationWithdrawn', { as });

const expired = fact('invitationExpired', {});

const uncertain: readonly CreatorEvent[] = [byInvitation, inDoubt];

const failed: readonly CreatorEvent[] = [byInvitation, refusal('invitation_rejected')];

const notAdmitted: readonly CreatorEvent[] = [byInvitation, refusal('capacity_reached')];

describe('inviting', () => {
  const invitation = { ...enrolling, externalId: 'ext-1', identity: submitted, invitee };

  it('records the intent with all that the invitation will say', () => {
    givenCreator([])
      .when((state) => enrollByInvitation(state, invitation))
      .then([byInvitation]);
    expect(creatorOf([byInvitation])).toMatchObject({
      enrollment: { status: 'enrolling', via: 'invitation' },
      invitee,
      identity: submitted,
      identityToWrite: submitted,
      userId: null,
      invitationId: null,
      standing: null,
      protection: { status: 'not_activated' },
    });
  });

  it.each([
    ['enrolling', [byInvitation]],
    ['invited', invited],
    ['failed', failed],
    ['not admitted', notAdmitted],
    ['cancelled', [...invited, withdrawn('cancelled')]],
  ])('an intent is recorded once: while %s it adds nothing', (_status, past) => {
    givenCreator(past)
      .when((state) => enrollByInvitation(state, invitation))
      .thenNothing();
  });

  it('D25: an intent that follows a refused one that was removed replaces all that was submitted', () => {
    const again = {
      ...invitation,
      epoch: 2,
      identity: { ...submitted, displayName: 'Mia Moon' },
      invitee: { ...invitee, email: 'mia@right.example' },
    };
    const invite = (state: CreatorState) => enrollByInvitation(state, again, true);
    const { externalId, identity, invitee: other, ...data } = again;
    const event = fact('enrolledByInvitation', { ...data, personal: { externalId, identity, invitee: other } });
    const removed = [...failed, withdrawn('cancelled')];
    givenCreator(removed).when(invite).then([event]);
    expect(creatorOf([...removed, event])).toEqual({
      ...creatorOf([byInvitation]),
      epoch: 2,
      identity,
      identityToWrite: identity,
      invitee: other,
    });
    for (const past of [
      failed,
      notAdmitted,
      [...invited, withdrawn('cancelled')],
      [...failed, withdrawn('detached')],
    ]) {
      givenCreator(past).when(invite).thenNothing();
    }
  });

  it.each<[string, boolean, readonly CreatorEvent[]]>([
    ['nothing', false, []],
    ['enrolling', true, [byInvitation]],
    ['uncertain', true, uncertain],
    ['failed', true, failed],
    ['not admitted', true, notAdmitted],
    ['invited', false, invited],
    ['pending onboarding', false, pendingOnboarding],
    ['expired', false, [...invited, expired]],
    ['cancelled', false, [...invited, withdrawn('cancelled')]],
    ['detached', false, [...pendingOnboarding, withdrawn('detached')]],
    ['joined', false, joined],
    ['enrolling by link', false, linking],
    ['uncertain by link', false, [...linking, fact('identityWriteUnknown', {})]],
    ['linked', false, linked],
    ['imported', false, imported],
  ])('D28: with %s, sending is open: %s', (_status, isOpen, past) => {
    expect(awaitsInvitation(past.length === 0 ? { status: 'unknown' } : creatorOf(past))).toBe(isOpen);
  });
});

describe('the outcome of inviting', () => {
  const record = (effect: Effect<NativeInvitation>) => (state: ReturnType<typeof creatorDecider.evolve>) =>
    recordInvitation(state, effect);
  const isSent = done(nativeInvitation('pending'));
  const open = [
    ['enrolling', [byInvitation]],
    ['uncertain', uncertain],
    ['failed', failed],
    ['not admitted', notAdmitted],
  ] as const;

  it.each(open)('D28: %s, and sent: it is invited', (_status, past) => {
    givenCreator(past).when(record(isSent)).then([sent]);
    expect(creatorOf([...past, sent])).toMatchObject({
      enrollment: { status: 'invited', via: 'invitation', expiresAt: WEEK_LATER },
      invitationId: 'inv_1',
    });
  });

  it.each(open.filter(([status]) => status !== 'failed'))('D28: %s, and refused: it failed', (_status, past) => {
    givenCreator(past)
      .when(record(refused('invitation_rejected')))
      .then([refusal('invitation_rejected')]);
    expect(creatorOf([...past, refusal('invitation_rejected')]).enrollment.status).toBe('failed');
  });

  it.each(open.filter(([status]) => status !== 'not admitted'))(
    'D28: %s, and no capacity: it is not admitted',
    (_status, past) => {
      givenCreator(past)
        .when(record(refused('capacity_reached')))
        .then([refusal('capacity_reached')]);
      expect(creatorOf([...past, refusal('capacity_reached')]).enrollment.status).toBe('not_admitted');
    },
  );

  it('D31: each refusal is recorded: it releases the seat that its attempt had reserved', () => {
    for (const code of ['invitation_rejected', 'capacity_reached']) {
      givenCreator([byInvitation, refusal(code)])
        .when(record(refused(code)))
        .then([refusal(code)]);
    }
  });

  it.each(open.filter(([status]) => status !== 'uncertain'))(
    'D28: %s, and unknown: it is uncertain',
    (_status, past) => {
      givenCreator(past).when(record(unknown)).then([inDoubt]);
      expect(creatorOf([...past, inDoubt]).enrollment.status).toBe('uncertain');
    },
  );

  it('D28: uncertain, and unknown again: nothing new', () => {
    givenCreator(uncertain).when(record(unknown)).thenNothing();
  });

  it.each([
    ['invited', invited],
    ['joined', joined],
    ['linked by link', linked],
    ['cancelled', [...invited, withdrawn('cancelled')]],
  ])('once it is known, a late outcome changes nothing: %s', (_status, past) => {
    for (const effect of [isSent, refused('invitation_rejected'), unknown]) {
      givenCreator(past).when(record(effect)).thenNothing();
    }
  });

  it('an unknown creator has none', () => {
    givenCreator([]).when(record(isSent)).thenNothing();
  });

  it('an email that was not accepted is recorded as such', () => {
    givenCreator([byInvitation])
      .when(record(done(nativeInvitation('pending', { emailSent: false }))))
      .then([fact('invitationSent', { invitationId: 'inv_1', emailSent: false, expiresAt: WEEK_LATER })]);
  });

  it('one that is found further along is recorded with all that happened', () => {
    givenCreator(uncertain)
      .when(record(done(nativeInvitation('accepted', { userId: miaUser }))))
      .then([sent, accepted]);
    givenCreator(uncertain)
      .when(record(done(nativeInvitation('expired'))))
      .then([sent, expired]);
    givenCreator(uncertain)
      .when(record(done(nativeInvitation('cancelled'))))
      .then([sent, withdrawn('cancelled')]);
  });
});

describe('an invitation as the platform shows it', () => {
  const see = (invitation: NativeInvitation) => (state: ReturnType<typeof creatorDecider.evolve>) =>
    observeInvitation(state, invitation);
  const isExpired: readonly CreatorEvent[] = [...invited, expired];
  const sentAgain = fact('invitationResent', { emailSent: true, expiresAt: WEEK_LATER });

  it('D76: the latest word counts, also where it ends earlier than what was known', () => {
    const resent = fact('invitationResent', { emailSent: true, expiresAt: WEEK_LATER + 1 });
    const shortened = fact('invitationResent', { emailSent: true, expiresAt: WEEK_LATER });
    for (const past of [
      [...isExpired, resent],
      [...invited, resent],
    ]) {
      givenCreator(past)
        .when(see(nativeInvitation('expired')))
        .then([expired]);
      givenCreator(past)
        .when(see(nativeInvitation('pending')))
        .then([shortened]);
    }
  });

  it('D76: that the platform no longer knows is cancelled after two lookups in a row', () => {
    const notFound = fact('invitationNotFound', {});
    for (const past of [invited, isExpired, pendingOnboarding]) {
      givenCreator(past).when(recordInvitationNotFound).then([notFound]);
      givenCreator([...past, notFound])
        .when(recordInvitationNotFound)
        .then([withdrawn('cancelled')]);
      givenCreator([...past, notFound, withdrawn('cancelled')])
        .when(recordInvitationNotFound)
        .thenNothing();
    }
    expect(creatorOf([...invited, notFound]).enrollment.status).toBe('invited');
    givenCreator([...invited, notFound])
      .when(see(nativeInvitation('pending')))
      .then([fact('invitationFound', {})]);
    givenCreator([...invited, notFound, fact('invitationFound', {})])
      .when(recordInvitationNotFound)
      .then([notFound]);
    for (const past of [[], [byInvitation], uncertain, failed, joined, linked]) {
      givenCreator(past).when(recordInvitationNotFound).thenNothing();
    }
  });

  it.each<[string, NativeInvitation['status'], readonly CreatorEvent[], readonly CreatorEvent[], string]>([
    ['invited', 'pending', invited, [], 'invited'],
    ['invited', 'accepted', invited, [accepted], 'pending_onboarding'],
    ['invited', 'onboarded', invited, [accepted], 'pending_onboarding'],
    ['invited', 'expired', invited, [expired], 'expired'],
    ['invited', 'cancelled', invited, [withdrawn('cancelled')], 'cancelled'],
    ['invited', 'detached', invited, [withdrawn('detached')], 'detached'],
    ['expired', 'expired', isExpired, [], 'expired'],
    ['expired', 'pending', isExpired, [sentAgain], 'invited'],
    ['expired', 'accepted', isExpired, [accepted], 'pending_onboarding'],
    ['expired', 'cancelled', isExpired, [withdrawn('cancelled')], 'cancelled'],
    ['accepted', 'accepted', pendingOnboarding, [], 'pending_onboarding'],
    ['accepted', 'onboarded', pendingOnboarding, [], 'pending_onboarding'],
    ['accepted', 'pending', pendingOnboarding, [sentAgain], 'invited'],
    ['accepted', 'detached', pendingOnboarding, [withdrawn('detached')], 'detached'],
    ['cancelled', 'cancelled', [...invited, withdrawn('cancelled')], [], 'cancelled'],
    ['cancelled', 'pending', [...invited, withdrawn('cancelled')], [], 'cancelled'],
    ['cancelled', 'accepted', [...invited, withdrawn('cancelled')], [], 'cancelled'],
    ['detached', 'detached', [...pendingOnboarding, withdrawn('detached')], [], 'detached'],
  ])('D29: %s, and the platform says %s', (_known, status, past, events, next) => {
    givenCreator(past)
      .when(see(nativeInvitation(status)))
      .then(events);
    expect(creatorOf([...past, ...events]).enrollment.status).toBe(next);
    givenCreator([...past, ...events])
      .when(see(nativeInvitation(status)))
      .thenNothing();
  });

  it('D39: a pending one with another end was sent again', () => {
    const later = nativeInvitation('pending', { expiresAt: WEEK_LATER + 1, emailSent: false });
    const event = fact('invitationResent', { emailSent: false, expiresAt: WEEK_LATER + 1 });
    givenCreator(invited).when(see(later)).then([event]);
    givenCreator([...invited, event])
      .when(see(later))
      .thenNothing();
  });

  it('acceptance keeps the end of the invitation', () => {
    expect(creatorOf(pendingOnboarding).enrollment).toEqual({
      status: 'pending_onboarding',
      via: 'invitation',
      expiresAt: WEEK_LATER,
    });
  });

  it.each([
    ['enrolling', [byInvitation]],
    ['uncertain', uncertain],
    ['failed', failed],
    ['not admitted', notAdmitted],
  ])('D28: settles by reference what was open: %s', (_status, past) => {
    givenCreator(past)
      .when(see(nativeInvitation('pending')))
      .then([sent]);
    givenCreator(past)
      .when(see(nativeInvitation('accepted')))
      .then([sent, accepted]);
  });

  it.each<[string, readonly CreatorEvent[]]>([
    ['joined', joined],
    ['linked', linked],
    ['imported', imported],
    ['unknown', []],
  ])('says nothing of a creator that is %s', (_status, past) => {
    for (const status of ['pending', 'accepted', 'onboarded', 'expired', 'cancelled', 'detached'] as const) {
      givenCreator(past)
        .when(see(nativeInvitation(status)))
        .thenNothing();
    }
  });

  it('never activates: acceptance and onboarding leave protection as it is', () => {
    expect(creatorOf(pendingOnboarding).protection).toEqual({ status: 'not_activated' });
    expect(creatorOf(joined).protection).toEqual({ status: 'not_activated' });
  });
});
