import type { AgencyEvent } from '#agencies';
import { authorizationEnd, type CreatorEvent, type RosterEvent } from '#creators';
import type { DeindexRequestEvent } from '#deindexing';
import {
  CLAIM_MEMBERS,
  DUE_WORK_INDEXES,
  type DueItem,
  dueItem,
  dueItemId,
  type Instant,
  projection,
  type RecordedEvent,
  SECOND,
  streamId,
  type WorkspaceId,
} from '#kernel';
import type { ScanAllowanceEvent, ScanEvent } from '#scans';
import type { WebhookEndpointEvent } from '#webhooks';

type WorkEvent =
  | AgencyEvent
  | RosterEvent
  | CreatorEvent
  | ScanAllowanceEvent
  | ScanEvent
  | DeindexRequestEvent
  | WebhookEndpointEvent;

/** What a worker does when it is due; each kind has its process. */
export const DUE_KINDS = [
  'admission',
  'scan',
  'enrollment',
  'slot',
  'authorizationEnd',
  'scheduledScan',
  'caseWalk',
  'rosterSync',
  'deindex',
  'webhookTest',
] as const;
export type DueKind = (typeof DUE_KINDS)[number];

/** Time for whoever appended the event to take the next step itself, before a worker does. */
const GRACE = 10 * SECOND;
/** A polite wait before looking whether something has moved on outside. */
const SOON = SECOND;
const INVITATION_POLL = 30 * SECOND;

interface Effect<Event extends WorkEvent> {
  readonly kind: DueKind;
  /** What it is about; the id of the event's own stream where it is left out. */
  readonly subject?: (event: RecordedEvent<Event>) => string;
  /** In which workspace; the event's own where it is left out. */
  readonly workspace?: (event: RecordedEvent<Event>) => WorkspaceId;
  /** When it is due after the event; undefined where there is nothing left to do. */
  readonly due: (at: Instant, event: RecordedEvent<Event>) => Instant | undefined;
}

type Plan = { readonly [Type in WorkEvent['type']]?: readonly Effect<Extract<WorkEvent, { type: Type }>>[] };

const now = (at: Instant) => at;
const soon = (at: Instant) => at + SOON;
const afterGrace = (at: Instant) => at + GRACE;
const done = () => undefined;
const ofCreator = { subject: ({ data }: { data: { creatorId: string } }) => data.creatorId };

/** What each event makes due, and what it settles. */
const PLAN: Plan = {
  // What follows from it follows from this: the workspace is its own, whoever has bound the agency.
  'agency.bound.v1': [{ kind: 'rosterSync', workspace: ({ data }) => data.workspaceId, due: now }],

  'roster.creatorAdmitted.v1': [{ kind: 'enrollment', ...ofCreator, due: afterGrace }],
  'roster.externalIdReplaced.v1': [{ kind: 'enrollment', ...ofCreator, due: afterGrace }],
  'roster.creatorTriedAgain.v1': [{ kind: 'enrollment', ...ofCreator, due: afterGrace }],

  'creator.imported.v1': [
    { kind: 'enrollment', due: done },
    { kind: 'caseWalk', due: soon },
  ],
  'creator.enrolledByLink.v1': [
    { kind: 'enrollment', due: afterGrace },
    { kind: 'caseWalk', due: soon },
  ],
  'creator.enrolledByInvitation.v1': [{ kind: 'enrollment', due: afterGrace }],
  'creator.importLinked.v1': [{ kind: 'enrollment', due: afterGrace }],
  'creator.identityWritten.v1': [{ kind: 'enrollment', due: done }],
  'creator.identityWriteUnknown.v1': [{ kind: 'enrollment', due: soon }],
  'creator.invitationSent.v1': [{ kind: 'enrollment', due: (at) => at + INVITATION_POLL }],
  'creator.invitationResent.v1': [{ kind: 'enrollment', due: (at) => at + INVITATION_POLL }],
  'creator.invitationUnknown.v1': [{ kind: 'enrollment', due: soon }],
  'creator.invitationRefused.v1': [{ kind: 'enrollment', due: done }],
  'creator.invitationAccepted.v1': [{ kind: 'enrollment', due: (at) => at + INVITATION_POLL }],
  'creator.invitationExpired.v1': [{ kind: 'enrollment', due: done }],
  'creator.invitationWithdrawn.v1': [{ kind: 'enrollment', due: done }],
  'creator.onboarded.v1': [
    { kind: 'enrollment', due: now },
    { kind: 'caseWalk', due: soon },
  ],

  'creator.standingObserved.v1': [
    { kind: 'authorizationEnd', due: (_, { data }) => authorizationEnd(data.authorization) ?? undefined },
  ],
  'creator.authorizationLapsed.v1': [{ kind: 'authorizationEnd', due: done }],

  'creator.activationRequested.v1': [{ kind: 'slot', due: (at) => at + 30 * SECOND }],
  'creator.activationAbandoned.v1': [{ kind: 'slot', due: soon }],
  'creator.protectionActivated.v1': [
    { kind: 'slot', due: done },
    { kind: 'scheduledScan', due: now },
  ],
  'creator.protectionPaused.v1': [
    { kind: 'slot', due: soon },
    { kind: 'scheduledScan', due: done },
  ],
  'creator.slotReleased.v1': [{ kind: 'slot', due: done }],

  'creator.membershipEnded.v1': [{ kind: 'caseWalk', due: done }],
  'creator.returned.v1': [{ kind: 'caseWalk', due: soon }],

  // Each scan's end is told as its release too: of an admission without a scan the worker finds out when it is due.
  'scanAllowance.scanAdmitted.v1': [{ kind: 'admission', ...ofCreator, due: afterGrace }],
  'scan.queued.v1': [
    { kind: 'admission', ...ofCreator, due: done },
    { kind: 'scan', due: now },
  ],
  'scan.dispatching.v1': [{ kind: 'scan', due: afterGrace }],
  'scan.accepted.v1': [{ kind: 'scan', due: soon }],
  'scan.started.v1': [{ kind: 'scan', due: soon }],
  'scan.uncertain.v1': [{ kind: 'scan', due: soon }],
  'scan.notFound.v1': [{ kind: 'scan', due: soon }],
  'scan.completed.v1': [{ kind: 'scan', due: done }],
  'scan.failed.v1': [{ kind: 'scan', due: done }],
  'scan.cancelled.v1': [{ kind: 'scan', due: done }],

  'deindexRequest.requested.v1': [{ kind: 'deindex', due: now }],
  'deindexRequest.dispatching.v1': [{ kind: 'deindex', due: afterGrace }],
  'deindexRequest.uncertain.v1': [{ kind: 'deindex', due: soon }],
  'deindexRequest.accepted.v1': [{ kind: 'deindex', due: soon }],
  'deindexRequest.submitted.v1': [{ kind: 'deindex', due: soon }],
  // A removal that is not yet verified may still be.
  'deindexRequest.completed.v1': [
    { kind: 'deindex', due: (at, { data }) => (data.removalVerified ? undefined : at + SOON) },
  ],
  'deindexRequest.rejected.v1': [{ kind: 'deindex', due: done }],
  'deindexRequest.failed.v1': [{ kind: 'deindex', due: done }],

  'webhookEndpoint.testRequested.v1': [{ kind: 'webhookTest', due: now }],
  'webhookEndpoint.tested.v1': [{ kind: 'webhookTest', due: done }],
};

const handlerOf = <Event extends WorkEvent>(type: string, effects: readonly Effect<Event>[]) => {
  const category = type.slice(0, type.indexOf('.'));
  const idOf = ({ kind, subject }: Effect<Event>, event: RecordedEvent<Event>) =>
    // Most are about their scan: a name that is there already need not be put together for each event.
    kind === category && subject === undefined
      ? event.stream
      : dueItemId(kind, subject?.(event) ?? streamId(event.stream));
  const [first, ...others] = effects;
  const isOne = first !== undefined && others.length === 0;
  return {
    documents: (event: RecordedEvent<Event>) =>
      isOne ? idOf(first, event) : effects.map((effect) => idOf(effect, event)),
    fold: (_: DueItem | undefined, event: RecordedEvent<Event>, id: string): DueItem | undefined => {
      const effect = isOne ? first : effects.find((candidate) => idOf(candidate, event) === id);
      const dueAt = effect?.due(event.metadata.at, event);
      if (effect === undefined || dueAt === undefined) return undefined;
      const subject = effect.subject?.(event) ?? streamId(event.stream);
      const workspaceId = effect.workspace?.(event) ?? (event.metadata.workspaceId as WorkspaceId);
      const cause = { id: event.id, correlationId: event.metadata.correlationId };
      return dueItem(effect.kind, subject, workspaceId, dueAt, cause, id);
    },
  };
};

/** All that waits to be done, and when. */
export const dueWorkProjection = projection<DueItem, WorkEvent>({
  name: 'due_work',
  version: 5,
  indexes: DUE_WORK_INDEXES,
  notFromTheLog: CLAIM_MEMBERS,
  // Each entry of the plan is written for its own event type; the map keeps them together.
  on: Object.fromEntries(
    Object.entries(PLAN).map(([type, effects]) => [type, handlerOf(type, effects as readonly Effect<WorkEvent>[])]),
  ),
});
