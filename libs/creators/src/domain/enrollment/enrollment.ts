import { DomainError, type Effect, type Instant, OUTCOME_TIMEOUT, type UserId } from '#kernel';
import type { CreatorEvent, Enrolled } from '../creator.events.js';
import {
  type CreatorState,
  type EnrolledCreator,
  type Enrollment,
  type Identity,
  type Invitee,
  isErased,
  isRefusedAndRemoved,
} from '../creator.state.js';
import { keptIdentity, NO_IDENTITY, observeIdentity } from '../identity/identity.js';
import { observeNative } from '../membership/observation.js';
import type { NativeCreator, NativeInvitation } from '../native-records.js';

interface Enrolling extends Enrolled {
  readonly externalId: string;
  readonly identity: Identity;
}

/** Records a member of the roster that the agency has not enrolled (D40: its standing is observed immediately). */
export function importCreator(
  state: CreatorState,
  { creatorId, workspaceId, agencyId, epoch, externalId }: Enrolled & { readonly externalId: string },
  native: NativeCreator,
): CreatorEvent[] {
  if (state.status === 'known') return observeNative(state, native);
  const { userId } = native;
  const imported: CreatorEvent = {
    type: 'creator.imported.v1',
    data: { creatorId, workspaceId, agencyId, epoch, userId, personal: { externalId } },
  };
  return [imported, ...asObserved(native)];
}

/** If a known creator has changed since the user was read, the record may be older, and is not recorded. */
export function enrollByLink(
  state: CreatorState,
  { userId, externalId, identity, ...enrolling }: Enrolling & { readonly userId: UserId },
  native: NativeCreator,
  isOvertaken = false,
): CreatorEvent[] {
  requireNotErased(state);
  if (state.status === 'unknown') {
    const data = { ...enrolling, userId, personal: { externalId, identity } };
    return [{ type: 'creator.enrolledByLink.v1', data }, ...asObserved(native, identity)];
  }
  // One without a user was refused and removed (D25): nothing newer is known of the user.
  const isFirst = state.userId === null;
  if (isFirst && !native.onboardingComplete) return [];
  const observed = isOvertaken && !isFirst ? [] : observeNative(state, native);
  if (state.externalId === externalId && state.enrollment.via !== 'import' && !isFirst) return observed;
  // D21: a request that was verified before a rebinding must not restore the earlier binding.
  const data = { epoch: Math.max(state.epoch, enrolling.epoch), personal: { externalId, identity } };
  return [...observed, { type: 'creator.importLinked.v1', data }];
}

/** An erased creator cannot be enrolled again, because nothing is left to recognize it by. */
const requireNotErased = (state: CreatorState): void => {
  if (isErased(state)) throw new DomainError('not_found');
};

/** The intent to invite, with the whole invitation. `isAgain`: it follows a refused one that was removed (D25). */
export function enrollByInvitation(
  state: CreatorState,
  { externalId, identity, invitee, ...enrolling }: Enrolling & { readonly invitee: Invitee },
  isAgain = false,
): CreatorEvent[] {
  requireNotErased(state);
  if (state.status === 'known' && !(isAgain && isRefusedAndRemoved(state))) return [];
  const data = { ...enrolling, personal: { externalId, identity, invitee } };
  return [{ type: 'creator.enrolledByInvitation.v1', data }];
}

const UNSENT = ['enrolling', 'uncertain', 'failed', 'not_admitted'] as const;

export type Inviting = EnrolledCreator & {
  readonly enrollment: Extract<Enrollment, { readonly via: 'invitation'; readonly status: (typeof UNSENT)[number] }>;
};

/** Whether the invitation may still have to be sent. A repeat is sent under the same reference (D28). */
export const awaitsInvitation = (state: CreatorState): state is Inviting =>
  state.status === 'known' &&
  !isErased(state) &&
  state.enrollment.via === 'invitation' &&
  UNSENT.some((status) => status === state.enrollment.status);

export const hasFailed = (state: CreatorState): boolean =>
  state.status === 'known' && ['failed', 'not_admitted'].includes(state.enrollment.status);

/** The outcome of inviting. Each refusal is recorded, because each attempt has reserved a seat (D31). */
export function recordInvitation(state: CreatorState, effect: Effect<NativeInvitation>): CreatorEvent[] {
  if (!awaitsInvitation(state)) return [];
  switch (effect.outcome) {
    case 'done':
      return sent(effect.value);
    case 'refused':
      return [refused(effect.code)];
    case 'unknown':
      return state.enrollment.status === 'uncertain' ? [] : [{ type: 'creator.invitationUnknown.v1', data: {} }];
  }
}

/** An invitation without an outcome is uncertain, and fails after 72 hours (D47, D87). */
export function recordOutcomeUnknown(state: CreatorState, now: Instant): CreatorEvent[] {
  if (!awaitsInvitation(state) || !('since' in state.enrollment)) return [];
  const { status, since } = state.enrollment;
  if (status === 'enrolling') return [{ type: 'creator.invitationUnknown.v1', data: {} }];
  return now - since < OUTCOME_TIMEOUT ? [] : [refused('outcome_unknown')];
}

/** Releases the seat of another attempt after a refusal, if the platform does not have that invitation (D31). */
export const recordNotSent = (state: CreatorState): CreatorEvent[] =>
  hasFailed(state) && awaitsInvitation(state)
    ? [refused(state.enrollment.status === 'not_admitted' ? 'capacity_reached' : 'not_sent')]
    : [];

const refused = (code: string): CreatorEvent => ({ type: 'creator.invitationRefused.v1', data: { code } });

/** Not for an answer that was requested before something else was recorded (D76). A withdrawn one stays withdrawn. */
export function observeInvitation(state: CreatorState, invitation: NativeInvitation): CreatorEvent[] {
  if (awaitsInvitation(state)) return sent(invitation);
  if (state.status === 'unknown' || !isFollowed(state)) return [];
  const { status, expiresAt } = state.enrollment;
  const found: CreatorEvent[] = state.isInvitationMissing ? [{ type: 'creator.invitationFound.v1', data: {} }] : [];
  const isOpenAgain = status !== 'invited' || invitation.expiresAt !== expiresAt;
  if (invitation.status !== 'pending' || !isOpenAgain) return [...found, ...progress(status, invitation)];
  const { emailSent } = invitation;
  return [...found, { type: 'creator.invitationResent.v1', data: { emailSent, expiresAt: invitation.expiresAt } }];
}

/** The platform does not know the invitation. The second time in a row it counts as cancelled (D76). */
export function recordInvitationNotFound(state: CreatorState): CreatorEvent[] {
  if (state.status === 'unknown' || !isFollowed(state)) return [];
  if (!state.isInvitationMissing) return [{ type: 'creator.invitationNotFound.v1', data: {} }];
  return [{ type: 'creator.invitationWithdrawn.v1', data: { as: 'cancelled' } }];
}

type Followed = EnrolledCreator & {
  readonly enrollment: { readonly status: 'invited' | 'expired' | 'pending_onboarding'; readonly expiresAt: Instant };
};

/** Whether the invitation can still be accepted. */
const isFollowed = (state: EnrolledCreator): state is Followed =>
  ['invited', 'expired', 'pending_onboarding'].includes(state.enrollment.status);

const sent = (invitation: NativeInvitation): CreatorEvent[] => {
  const { id, emailSent, expiresAt } = invitation;
  const data = { invitationId: id, emailSent, expiresAt };
  return [{ type: 'creator.invitationSent.v1', data }, ...progress('invited', invitation)];
};

/** The change from the known status to the shown one. Onboarding itself is observed from the user, not from here. */
const progress = (known: string, { status }: NativeInvitation): CreatorEvent[] => {
  switch (status) {
    case 'accepted':
    case 'onboarded':
      return known === 'pending_onboarding' ? [] : [{ type: 'creator.invitationAccepted.v1', data: {} }];
    case 'expired':
      return known === 'expired' ? [] : [{ type: 'creator.invitationExpired.v1', data: {} }];
    case 'cancelled':
    case 'detached':
      return known === status ? [] : [{ type: 'creator.invitationWithdrawn.v1', data: { as: status } }];
    case 'pending':
      return [];
  }
};

/** D21: a matching enrollment, or being seen in the roster, brings the creator under the present binding. */
export function rebind(state: CreatorState, epoch: number): CreatorEvent[] {
  return state.status === 'known' && !isErased(state) && state.epoch < epoch
    ? [{ type: 'creator.rebound.v1', data: { epoch } }]
    : [];
}

const asObserved = (
  { identity, onboardingComplete, authorization, entitlement }: NativeCreator,
  before: Identity = NO_IDENTITY,
): CreatorEvent[] => [
  observeIdentity(before, keptIdentity(identity)),
  { type: 'creator.standingObserved.v1', data: { onboardingComplete, authorization, entitlement } },
];
