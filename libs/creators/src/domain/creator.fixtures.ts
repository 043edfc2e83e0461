import { type AgencyId, agencyId, derivedId, type Instant, type UserId } from '#kernel';
import { folded, type Past } from '#testing';
import type { CreatorEvent } from './creator.events.js';
import { creatorDecider } from './creator.js';
import type { EnrolledCreator, Identity, Invitee, Standing } from './creator.state.js';
import { NO_IDENTITY, observeIdentity } from './identity/identity.js';
import type { NativeCreator, NativeInvitation } from './native-records.js';

/** The tests of this context share one agency, and Mia, whom it enrolls. */

export const agency: AgencyId = agencyId('ag_lumen');
export const workspaceId = derivedId('workspace', agency);
export const mia = derivedId('creator', 'mia');
export const miaUser = '0a000000-0000-4000-8000-000000000001' as UserId;
export const eveUser = '0a000000-0000-4000-8000-000000000002' as UserId;
export const enrolling = { creatorId: mia, workspaceId, agencyId: agency, epoch: 1 };

/** As the agency submitted it. */
export const submitted: Identity = {
  displayName: 'Mia Rose',
  aliases: ['rosie'],
  profiles: [{ platform: 'onlyfans', username: 'MiaRose', profileId: null }],
};

/** As it is on the platform, before and after the submitted one was merged. */
export const nativeIdentity: Identity = { displayName: 'Mia R.', aliases: ['mimi'], profiles: [] };
export const mergedIdentity: Identity = { ...submitted, aliases: ['mimi', 'rosie'] };

export const invitee: Invitee = { email: 'mia@example.com', firstName: 'Mia', lastName: 'Rose', locale: 'en' };

export const goodStanding: Standing = {
  onboardingComplete: true,
  authorization: { approved: true, status: 'approved', expiresAt: null },
  entitlement: { active: true, source: 'agency_plan' },
};

export const native = (changes: Partial<NativeCreator> = {}): NativeCreator => ({
  userId: miaUser,
  invitationReference: null,
  identity: nativeIdentity,
  isStaff: false,
  ...goodStanding,
  ...changes,
});

export const WEEK_LATER: Instant = 604_800_000;

export const nativeInvitation = (
  status: NativeInvitation['status'],
  changes: Partial<NativeInvitation> = {},
): NativeInvitation => ({ id: 'inv_1', status, userId: null, emailSent: true, expiresAt: WEEK_LATER, ...changes });

type DataOf<Type extends CreatorEvent['type']> = Extract<CreatorEvent, { type: Type }>['data'];

type NameOf<Type extends string> = Type extends `creator.${infer Name}.v1` ? Name : never;

/** An event of a creator by its name, without the prefix and the version. */
export const fact = <Name extends NameOf<CreatorEvent['type']>>(name: Name, data: DataOf<`creator.${Name}.v1`>) =>
  ({ type: `creator.${name}.v1`, data }) as CreatorEvent;

export const byInvitation = fact('enrolledByInvitation', {
  ...enrolling,
  personal: { externalId: 'ext-1', identity: submitted, invitee },
});
export const byLink = fact('enrolledByLink', {
  ...enrolling,
  userId: miaUser,
  personal: { externalId: 'ext-1', identity: submitted },
});
export const byImport = fact('imported', { ...enrolling, userId: miaUser, personal: { externalId: `svc:${miaUser}` } });
export const importLinked = fact('importLinked', { epoch: 1, personal: { externalId: 'ext-1', identity: submitted } });

export const standingObserved = (changes: Partial<Standing> = {}) =>
  fact('standingObserved', { ...goodStanding, ...changes });

export const sent = fact('invitationSent', { invitationId: 'inv_1', emailSent: true, expiresAt: WEEK_LATER });
export const accepted = fact('invitationAccepted', {});
export const onboarded = fact('onboarded', { userId: miaUser });
export const identityWritten = fact('identityWritten', {});

/** Without `before`: an observation that says everything and yields the same identity from any other one. */
export const identityObserved = (identity: Identity, before: Identity = NO_IDENTITY) =>
  observeIdentity(before, identity);
const observedAfter = (identity: Identity) => [identityObserved(nativeIdentity, identity), standingObserved()];

/** The events that lead to each state of a creator. */
export const imported: readonly CreatorEvent[] = [byImport, ...observedAfter(NO_IDENTITY)];
export const linking: readonly CreatorEvent[] = [byLink, ...observedAfter(submitted)];
export const linked: readonly CreatorEvent[] = [
  ...linking,
  identityObserved(mergedIdentity, nativeIdentity),
  identityWritten,
];
export const invited: readonly CreatorEvent[] = [byInvitation, sent];
export const pendingOnboarding: readonly CreatorEvent[] = [...invited, accepted];
export const joined: readonly CreatorEvent[] = [...pendingOnboarding, onboarded, ...observedAfter(submitted)];

export const activationRequested = fact('activationRequested', { activationId: 'act-1' });
export const activated = fact('protectionActivated', { activationId: 'act-1', reason: 'api_request' });
export const paused = fact('protectionPaused', { reason: 'api_request' });
export const abandoned = (reason: DataOf<'creator.activationAbandoned.v1'>['reason']) =>
  fact('activationAbandoned', { activationId: 'act-1', reason });
export const slotReleased = fact('slotReleased', {});

export const activating: readonly CreatorEvent[] = [...linked, activationRequested];
export const active: readonly CreatorEvent[] = [...activating, activated];

export const creatorOf = (past: Past<CreatorEvent>): EnrolledCreator => {
  const state = folded(creatorDecider, past);
  if (state.status === 'unknown') throw new Error('these events make no creator');
  return state;
};
