import { describe, expect, it } from '@jest/globals';
import { DomainError, type Effect } from '#kernel';
import { given, type Past } from '#testing';
import type { CreatorEvent } from '../creator.events.js';
import {
  accepted,
  activationRequested,
  active,
  byInvitation,
  creatorOf,
  fact,
  imported,
  invited,
  joined,
  linked,
  linking,
  nativeInvitation,
  pendingOnboarding,
  sent,
} from '../creator.fixtures.js';
import { creatorDecider } from '../creator.js';
import type { CreatorState } from '../creator.state.js';
import { done, unknown as outcomeUnknown, refused } from '../effects.fixtures.js';
import type { NativeInvitation } from '../native-records.js';
import { planRemoval, recordWithdrawal, removeCreator } from './removal.js';

const unknown = fact('invitationUnknown', {});
const failed = [byInvitation, fact('invitationRefused', { code: 'invitation_rejected' })];
const expired = [...invited, fact('invitationExpired', {})];
const withdrawn = (as: 'cancelled' | 'detached') => fact('invitationWithdrawn', { as });
const remove = (as: 'cancelled' | 'detached') => (state: CreatorState) => removeCreator(state, as);

describe('what a removal needs', () => {
  it.each<[string, Past<CreatorEvent>]>([
    ['imported', imported],
    ['linking', linking],
    ['linked', linked],
    ['active', active],
    ['onboarded', joined],
  ])('D38: one that is %s stays', (_, past) => {
    expect(() => planRemoval(creatorOf(past))).toThrow(new DomainError('creator_onboarding_completed'));
  });

  it.each<[string, Past<CreatorEvent>, ReturnType<typeof planRemoval>]>([
    ['invited', invited, { step: 'withdraw', invitationId: 'inv_1' }],
    ['expired', expired, { step: 'withdraw', invitationId: 'inv_1' }],
    ['accepted', pendingOnboarding, { step: 'withdraw', invitationId: 'inv_1' }],
    ['failed', failed, { step: 'record' }],
    ['not yet sent', [byInvitation], { step: 'look_up' }],
    ['of unknown outcome', [byInvitation, unknown], { step: 'look_up' }],
    ['cancelled', [...invited, withdrawn('cancelled')], { step: 'none' }],
    ['cancelled after a failure', [...failed, withdrawn('cancelled')], { step: 'none' }],
    ['detached', [...pendingOnboarding, withdrawn('detached')], { step: 'none' }],
  ])('an invitation that is %s', (_, past, removal) => {
    expect(planRemoval(creatorOf(past))).toEqual(removal);
  });
});

describe('recording it', () => {
  const givenCreator = (past: Past<CreatorEvent>) => given(creatorDecider, past);

  it.each<[string, Past<CreatorEvent>, 'cancelled' | 'detached']>([
    ['invited', invited, 'cancelled'],
    ['expired', expired, 'cancelled'],
    ['failed', failed, 'cancelled'],
    ['uncertain', [byInvitation, unknown], 'cancelled'],
    ['accepted', pendingOnboarding, 'detached'],
  ])('D38: one that is %s', (_, past, as) => {
    givenCreator(past)
      .when(remove(as))
      .then([withdrawn(as)]);
    expect(creatorOf([...past, withdrawn(as)]).enrollment.status).toBe(as);
    givenCreator([...past, withdrawn(as)])
      .when(remove(as))
      .thenNothing();
  });

  it('nothing if it was onboarded during the removal, and if there is none', () => {
    givenCreator(joined).when(remove('detached')).thenNothing();
    givenCreator([]).when(remove('cancelled')).thenNothing();
  });

  it('D38: protection goes to paused only from active', () => {
    const past = [byInvitation, sent, accepted, activationRequested];
    const activated = fact('protectionActivated', { activationId: 'act-1', reason: 'api_request' });
    givenCreator([...past, activated])
      .when(remove('detached'))
      .then([fact('protectionPaused', { reason: 'creator_removed' }), withdrawn('detached')]);
    expect(creatorOf([...invited, withdrawn('cancelled')]).protection).toEqual({ status: 'not_activated' });
  });
});

describe('the outcome of withdrawing the invitation', () => {
  const givenCreator = (past: Past<CreatorEvent>) => given(creatorDecider, past);
  const record = (effect: Effect<NativeInvitation>) => (state: CreatorState) => recordWithdrawal(state, effect);

  it.each(['cancelled', 'detached'] as const)('D38: is what the platform made of it: %s', (status) => {
    givenCreator(invited)
      .when(record(done(nativeInvitation(status))))
      .then([withdrawn(status)]);
  });

  it('D76: is cancelled where the platform has no such invitation', () => {
    givenCreator(invited)
      .when(record(refused('not_found')))
      .then([withdrawn('cancelled')]);
  });

  it('is nothing after another refusal, or while it is unknown', () => {
    for (const effect of [refused('creator_onboarding_completed'), outcomeUnknown]) {
      givenCreator(invited).when(record(effect)).thenNothing();
    }
  });

  it('is refused where the platform says that it did, and shows the invitation as it was', () => {
    givenCreator(invited)
      .when(record(done(nativeInvitation('pending'))))
      .thenRefused('provider_invalid_response');
  });
});
