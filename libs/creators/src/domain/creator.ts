import { type Decider, ERASED, type Instant, unknownEvent } from '#kernel';
import type { CreatorEvent } from './creator.events.js';
import {
  type CreatorState,
  type EnrolledCreator,
  type Enrollment,
  type Identity,
  isRefusedAndRemoved,
  refusalStatus,
} from './creator.state.js';
import { countedAt } from './enrollment/mail-allowance.js';
import { changedIdentity, NO_IDENTITY } from './identity/identity.js';
import { NO_SLOT, slotConfirmed, slotOfMissing, slotUnwanted, slotWanted } from './protection/protection.js';

export const creatorDecider: Decider<CreatorState, CreatorEvent> = {
  category: 'creator',
  initial: { status: 'unknown' },
  evolve: (state, event, at) => (state.status === 'unknown' ? firstEvent(event, at) : nextEvent(state, event, at)),
  whenClockIsBehind: (event, clock) => {
    if (event.type === 'creator.protectionPaused.v1') return { ...event, data: { ...event.data, pausedAt: clock } };
    return event.type === 'creator.resendReserved.v1'
      ? { ...event, data: { ...event.data, reservedAt: clock } }
      : event;
  },
};

const initialCreator = (at: Instant) =>
  ({
    status: 'known',
    createdAt: at,
    invitee: null,
    invitationId: null,
    isInvitationMissing: false,
    resends: [],
    userId: null,
    identity: NO_IDENTITY,
    identityToWrite: null,
    standing: null,
    hasLapsed: false,
    membership: { status: 'current' },
    protection: { status: 'not_activated' },
    slot: NO_SLOT,
  }) as const;

/** The state of an erased creator. It does not depend on which of its earlier events are still readable. */
const NOBODY = {
  externalId: ERASED,
  invitee: null,
  identity: { displayName: ERASED, aliases: [], profiles: [] },
  identityToWrite: null,
} as const;

const firstEvent = (event: CreatorEvent, at: Instant): CreatorState => {
  switch (event.type) {
    case 'creator.enrolledByLink.v1': {
      const { personal, ...data } = event.data;
      const { externalId, identity } = personal;
      const enrollment: Enrollment = { status: 'enrolling', via: 'link' };
      return { ...initialCreator(at), ...data, externalId, identity, identityToWrite: identity, enrollment };
    }
    case 'creator.enrolledByInvitation.v1': {
      const { personal, ...data } = event.data;
      const enrollment: Enrollment = { status: 'enrolling', via: 'invitation', calledAt: at, since: at };
      return { ...initialCreator(at), ...data, ...personal, identityToWrite: personal.identity, enrollment };
    }
    case 'creator.imported.v1': {
      const { personal, ...data } = event.data;
      return { ...initialCreator(at), ...data, ...personal, enrollment: { status: 'linked', via: 'import' } };
    }
    default:
      return { status: 'unknown' };
  }
};

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a table, one entry for each event type
const nextEvent = (state: EnrolledCreator, event: CreatorEvent, at: Instant): EnrolledCreator => {
  switch (event.type) {
    case 'creator.enrolledByLink.v1':
    case 'creator.imported.v1':
      return state;
    case 'creator.enrolledByInvitation.v1': {
      if (!isRefusedAndRemoved(state)) return state;
      const { personal, epoch } = event.data;
      const enrollment: Enrollment = { status: 'enrolling', via: 'invitation', calledAt: at, since: at };
      return { ...state, ...personal, epoch, identityToWrite: personal.identity, enrollment };
    }
    case 'creator.authorizationLapsed.v1':
      return { ...state, hasLapsed: true };
    case 'creator.importLinked.v1': {
      const { externalId, identity } = event.data.personal;
      const enrollment: Enrollment = { status: 'enrolling', via: 'link' };
      return { ...state, epoch: event.data.epoch, externalId, identityToWrite: identity, enrollment };
    }
    case 'creator.identityWritten.v1':
      return { ...state, identityToWrite: null, enrollment: { status: 'linked', via: state.enrollment.via } };
    case 'creator.identityWriteUnknown.v1':
      return { ...state, enrollment: { status: 'uncertain', via: 'link' } };
    case 'creator.invitationSent.v1': {
      const { invitationId, expiresAt } = event.data;
      return { ...state, invitationId, enrollment: { status: 'invited', via: 'invitation', expiresAt } };
    }
    case 'creator.invitationRefused.v1': {
      return { ...state, enrollment: { status: refusalStatus(event.data.code), via: 'invitation' } };
    }
    case 'creator.invitationUnknown.v1': {
      const calledAt = 'calledAt' in state.enrollment ? state.enrollment.calledAt : at;
      return { ...state, enrollment: { status: 'uncertain', via: 'invitation', calledAt, since: at } };
    }
    case 'creator.invitationResent.v1':
      return { ...state, enrollment: { status: 'invited', via: 'invitation', expiresAt: event.data.expiresAt } };
    case 'creator.resendReserved.v1': {
      const { resendId, reservedAt = at } = event.data;
      return { ...state, resends: [...countedAt(state.resends, reservedAt), { resendId, at: reservedAt }] };
    }
    case 'creator.resendReleased.v1':
      return { ...state, resends: state.resends.filter(({ resendId }) => resendId !== event.data.resendId) };
    case 'creator.invitationAccepted.v1':
      return withInvitation(state, 'pending_onboarding');
    case 'creator.invitationExpired.v1':
      return withInvitation(state, 'expired');
    case 'creator.invitationNotFound.v1':
      return { ...state, isInvitationMissing: true };
    case 'creator.invitationFound.v1':
      return { ...state, isInvitationMissing: false };
    case 'creator.invitationWithdrawn.v1':
      return withInvitation(state, event.data.as);
    case 'creator.onboarded.v1':
      return { ...state, userId: event.data.userId, enrollment: { status: 'linked', via: 'invitation' } };
    case 'creator.identityObserved.v2':
      return { ...state, identity: changedIdentity(state.identity, event.data) };
    case 'creator.standingObserved.v1':
      return { ...state, standing: event.data, hasLapsed: false };
    case 'creator.rebound.v1':
      return { ...state, epoch: event.data.epoch };
    case 'creator.activationRequested.v1':
      return { ...state, slot: slotWanted(state.slot, at, event.data.activationId) };
    case 'creator.activationAbandoned.v1':
      return { ...state, slot: slotUnwanted(state.slot, at) };
    case 'creator.protectionActivated.v1': {
      const wasPaused = state.protection.status === 'paused';
      return { ...state, protection: { status: 'active', since: at, wasPaused }, slot: slotConfirmed(state.slot) };
    }
    case 'creator.protectionPaused.v1':
      return { ...state, protection: { status: 'paused' }, slot: slotUnwanted(state.slot, at) };
    case 'creator.slotReoccupationRequested.v1':
      return { ...state, slot: slotWanted(state.slot, at) };
    case 'creator.slotReleased.v1':
    case 'creator.slotReoccupied.v1':
      return { ...state, slot: slotConfirmed(state.slot) };
    case 'creator.slotFenceRaised.v1':
      return { ...state, slot: { ...state.slot, fence: event.data.fence } };
    case 'creator.memberNotFound.v1':
      return { ...state, membership: { status: 'missing', since: at }, slot: slotOfMissing(state.slot) };
    case 'creator.membershipEnded.v1':
      return { ...state, membership: { status: 'ended' } };
    case 'creator.personalDataErased.v1':
      return { ...state, ...NOBODY, membership: { status: 'erased', keyDestroyed: false } };
    case 'creator.personalKeyDestroyed.v1':
      return { ...state, membership: { status: 'erased', keyDestroyed: true } };
    case 'creator.memberFound.v1':
    case 'creator.returned.v1':
      return { ...state, membership: { status: 'current' } };
    default:
      return unknownEvent(event, state);
  }
};

const withInvitation = (
  state: EnrolledCreator,
  status: 'pending_onboarding' | 'expired' | 'cancelled' | 'detached',
): EnrolledCreator => {
  const expiresAt = 'expiresAt' in state.enrollment ? state.enrollment.expiresAt : 0;
  return { ...state, enrollment: { status, via: 'invitation', expiresAt } };
};

/** Keeps of all texts only the display names. */
export const withNamesAlone = (creator: CreatorState): CreatorState => {
  if (creator.status !== 'known') return creator;
  const { identity, identityToWrite } = creator;
  return {
    ...creator,
    externalId: '',
    invitee: null,
    identity: nameAlone(identity),
    identityToWrite: identityToWrite && nameAlone(identityToWrite),
  };
};

const nameAlone = ({ displayName }: Identity): Identity => ({ displayName, aliases: [], profiles: [] });

/** Keeps no text of the creator: names, aliases, profiles, external id, addressee. */
export const withoutTexts = (creator: CreatorState): CreatorState =>
  creator.status === 'known'
    ? { ...creator, externalId: '', invitee: null, identity: NO_IDENTITY, identityToWrite: null }
    : creator;
