import type { AgencyEvent } from '#agencies';
import type { CreatorEvent, RosterEvent, Standing } from '#creators';
import type { DeadLetterEvent } from '#jobs';
import { agencyId, derivedId, type Instant, streamName, type UserId } from '#kernel';
import type { ScanAllowanceEvent, ScanEvent } from '#scans';
import type { WebhookEndpointEvent, WebhookReplayEvent } from '#webhooks';
import { workspaceId } from '../../projections/src/read-models/projected.fixtures.js';

export type WorkEvent =
  | DeadLetterEvent
  | AgencyEvent
  | RosterEvent
  | CreatorEvent
  | ScanAllowanceEvent
  | ScanEvent
  | WebhookEndpointEvent
  | WebhookReplayEvent;

export const T: Instant = 1_767_225_600_000;
export const SECOND = 1_000;

export const agency = agencyId('ag_lumen');
export const creatorId = derivedId('creator', 'mia');
export const scanId = derivedId('scan', 'one');
export const userId = '0a000000-0000-4000-8000-000000000001' as UserId;

export const agencyStream = streamName('agency', agency);
export const rosterStream = streamName('roster', workspaceId);
export const creatorStream = streamName('creator', creatorId);
export const allowanceStream = streamName('scanAllowance', creatorId);
export const scanStream = streamName('scan', scanId);

export const enrolling = { creatorId, workspaceId, agencyId: agency, epoch: 1 };
export const identity = { displayName: 'Mia', aliases: [], profiles: [] };
export const invitee = { email: 'mia@example.com', firstName: 'Mia', lastName: 'Rose', locale: 'en' } as const;
export const personal = { externalId: 'ext-1', identity };

export const linked: CreatorEvent = { type: 'creator.enrolledByLink.v1', data: { ...enrolling, userId, personal } };
export const invited: CreatorEvent = {
  type: 'creator.enrolledByInvitation.v1',
  data: { ...enrolling, personal: { ...personal, invitee } },
};
export const imported: CreatorEvent = { type: 'creator.imported.v1', data: { ...enrolling, userId, personal } };
export const plain = (
  name:
    | 'identityWritten'
    | 'identityWriteUnknown'
    | 'invitationUnknown'
    | 'invitationAccepted'
    | 'invitationExpired'
    | 'authorizationLapsed'
    | 'slotReleased'
    | 'slotReoccupationRequested'
    | 'slotReoccupied'
    | 'memberNotFound'
    | 'memberFound'
    | 'membershipEnded'
    | 'returned'
    | 'personalDataErased',
) => ({ type: `creator.${name}.v1`, data: {} }) as CreatorEvent;
export const sent: CreatorEvent = {
  type: 'creator.invitationSent.v1',
  data: { invitationId: 'inv', emailSent: true, expiresAt: T + 1 },
};
export const resent: CreatorEvent = {
  type: 'creator.invitationResent.v1',
  data: { emailSent: true, expiresAt: T + 1 },
};
export const refused: CreatorEvent = { type: 'creator.invitationRefused.v1', data: { code: 'invitation_rejected' } };
export const withdrawn: CreatorEvent = { type: 'creator.invitationWithdrawn.v1', data: { as: 'cancelled' } };
export const onboarded: CreatorEvent = { type: 'creator.onboarded.v1', data: { userId } };
export const importLinked: CreatorEvent = { type: 'creator.importLinked.v1', data: { epoch: 1, personal } };

export const admission = {
  ...enrolling,
  via: 'link' as const,
  userId,
  personal: { externalId: 'ext-1', fingerprint: 'f', submitted: { identity, invitee: null } },
};
export const admitted: RosterEvent = { type: 'roster.creatorAdmitted.v1', data: admission };
export const replaced: RosterEvent = { type: 'roster.externalIdReplaced.v1', data: admission };

export const about = { scanId, creatorId };
export const scanAdmitted: ScanAllowanceEvent = {
  type: 'scanAllowance.scanAdmitted.v1',
  data: { ...about, agencyId: agency, source: 'manual' },
};
export const queued: ScanEvent = {
  type: 'scan.queued.v1',
  data: { ...about, agencyId: agency, workspaceId, source: 'manual' },
};
export const ending = { ...about, jobId: null, finishedAt: T, errorCode: null };

export const standing = (authorization: Standing['authorization']): CreatorEvent => ({
  type: 'creator.standingObserved.v1',
  data: { onboardingComplete: true, authorization, entitlement: { active: true, source: null } },
});

export const enrollmentRetried: RosterEvent = { type: 'roster.enrollmentRetried.v1', data: { creatorId, revision: 1 } };
