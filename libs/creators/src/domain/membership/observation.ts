import { isDeepStrictEqual } from 'node:util';
import { type CallMade, type Effect, type Instant, isRecordedSince, isRefusedWith, type Reading } from '#kernel';
import type { CreatorEvent } from '../creator.events.js';
import {
  authorizationEnd,
  type CreatorState,
  type EnrolledCreator,
  type Identity,
  isWithUser,
  type WithUser,
} from '../creator.state.js';
import { identityToBe, keptIdentity, observeIdentity } from '../identity/identity.js';
import type { NativeCreator } from '../native-records.js';
import { abandonActivation, isReappearing } from '../protection/protection.js';

/** Records the changes in the platform's record of a member; nothing if nothing changed. */
export function observeNative(state: EnrolledCreator, native: NativeCreator): CreatorEvent[] {
  if (state.membership.status === 'erased') return [];
  const { userId, onboardingComplete, authorization, entitlement } = native;
  const identity = keptIdentity(native.identity);
  const standing = { onboardingComplete, authorization, entitlement };
  const events: CreatorEvent[] = [];
  if (state.userId === null) {
    // D30: an invited creator has no native user before onboarding is complete.
    if (!onboardingComplete) return events;
    events.push({ type: 'creator.onboarded.v1', data: { userId } });
  }
  if (state.standing === null || !isDeepStrictEqual(state.identity, identity)) {
    events.push(observeIdentity(state.identity, identity));
  }
  if (!isDeepStrictEqual(state.standing, standing)) {
    events.push({ type: 'creator.standingObserved.v1', data: standing });
  }
  // Last, so that the event which announces its return shows its current state (D77).
  return [...events, ...reappearance(state)];
}

/** Records the platform's answer about a member: its record, or none. Staff are not members. */
export function observeMember(
  state: CreatorState,
  native: NativeCreator | undefined,
  synchronization: Reading | null,
): CreatorEvent[] {
  if (native === undefined || native.isStaff) return observeMissing(state, synchronization);
  return state.status === 'known' ? observeNative(state, native) : [];
}

/** D77: an active creator has lost its slot, and is shown when that is occupied again. */
const reappearance = (state: EnrolledCreator): CreatorEvent[] => {
  const { membership, protection } = state;
  if (membership.status === 'ended') return [{ type: 'creator.returned.v1', data: {} }];
  if (membership.status !== 'missing' || isReappearing(state)) return [];
  if (protection.status !== 'active') return [{ type: 'creator.memberFound.v1', data: {} }];
  return [{ type: 'creator.slotReoccupationRequested.v1', data: {} }];
};

/** A 404 hides the creator; if a synchronization that began later does not find it either, its membership ends (D43). */
export function observeMissing(state: CreatorState, synchronization: Reading | null): CreatorEvent[] {
  if (state.status === 'unknown' || state.userId === null) return [];
  const { membership } = state;
  // It was seen after it was missing, so this counts as the first time again.
  const isFirst = membership.status === 'current' || isReappearing(state);
  if (isFirst) return [{ type: 'creator.memberNotFound.v1', data: {} }];
  if (membership.status !== 'missing') return [];
  if (synchronization === null || isRecordedSince(synchronization, membership.since)) return [];
  const ended: CreatorEvent = { type: 'creator.membershipEnded.v1', data: {} };
  if (state.protection.status !== 'active') return [ended, ...abandonActivation(state, 'not_found')];
  return [ended, { type: 'creator.protectionPaused.v1', data: { reason: 'membership_ended' } }];
}

/** D40: the end of the authorization has passed by the clock. */
export function observeLapse(state: CreatorState, now: Instant): CreatorEvent[] {
  if (state.status === 'unknown' || state.standing === null || state.hasLapsed) return [];
  const end = authorizationEnd(state.standing.authorization);
  if (end === null || now < end) return [];
  return [{ type: 'creator.authorizationLapsed.v1', data: {} }];
}

export type WithIdentityToWrite = WithUser & { readonly identityToWrite: Identity };

export const hasIdentityToWrite = (state: CreatorState): state is WithIdentityToWrite =>
  isWithUser(state) && state.identityToWrite !== null;

/**
 * The identity is written once (D30). If something newer than the answer may have been recorded during the call, that is
 * kept and merged with the written identity, so that the creator is never shown without it.
 */
export function recordIdentityWrite(
  state: CreatorState,
  effect: Effect<NativeCreator>,
  { isOvertaken }: CallMade<CreatorState>,
): CreatorEvent[] {
  if (state.status === 'unknown' || state.identityToWrite === null) return [];
  if (effect.outcome === 'done') {
    const observed = isOvertaken
      ? [observeIdentity(state.identity, keptIdentity(identityToBe(state)))]
      : observeNative(state, effect.value);
    return [...observed, { type: 'creator.identityWritten.v1', data: {} }];
  }
  const isUncertain = state.enrollment.status === 'uncertain';
  return state.enrollment.via === 'link' && !isUncertain ? [{ type: 'creator.identityWriteUnknown.v1', data: {} }] : [];
}

/** The outcome of a change that the agency requested: the creator as the platform shows it afterwards. */
export function recordIdentityChange(
  state: CreatorState,
  effect: Effect<NativeCreator>,
  { isOvertaken }: CallMade<CreatorState>,
): CreatorEvent[] {
  if (effect.outcome === 'done') return isOvertaken ? [] : observeMember(state, effect.value, null);
  return isRefusedWith(effect, 'not_found') ? observeMissing(state, null) : [];
}
