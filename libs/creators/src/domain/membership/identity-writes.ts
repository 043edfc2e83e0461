import { type CallMade, type Effect, isRefusedWith } from '#kernel';
import type { CreatorEvent } from '../creator.events.js';
import { type CreatorState, type Identity, isWithUser, type WithUser } from '../creator.state.js';
import { identityToBe, keptIdentity } from '../identity/identity.js';
import { observeIdentity } from '../identity/observed-identity.js';
import type { NativeCreator } from '../native-creator.js';
import { observeMember, observeMissing, observeNative } from './observation.js';

export type WithIdentityToWrite = WithUser & { readonly identityToWrite: Identity };

export const hasIdentityToWrite = (state: CreatorState): state is WithIdentityToWrite =>
  isWithUser(state) && state.identityToWrite !== null;

/**
 * It happens once (D30). If something newer than the answer may have been recorded during the call, that is kept, with what
 * was written: until the next observation nothing shows the creator without it.
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

/** The outcome of a change that the agency asked for: what the platform shows of the creator then. */
export function recordIdentityChange(
  state: CreatorState,
  effect: Effect<NativeCreator>,
  { isOvertaken }: CallMade<CreatorState>,
): CreatorEvent[] {
  if (effect.outcome === 'done') return isOvertaken ? [] : observeMember(state, effect.value, null);
  return isRefusedWith(effect, 'not_found') ? observeMissing(state, null) : [];
}
