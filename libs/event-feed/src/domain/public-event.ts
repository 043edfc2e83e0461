import { createHash } from 'node:crypto';
import type { CaseAnnouncement } from '#cases';
import type { CreatorAnnouncement } from '#creators';
import type { DeindexAnnouncement } from '#deindexing';
import type { ImpersonationAnnouncement } from '#impersonations';
import {
  bytesOfTypeId,
  type CreatorId,
  holdsEncrypted,
  type Instant,
  PersonalDataUnreadable,
  type PublicEventId,
  type Revision,
  type StreamName,
  typeIdOfBytes,
  type WorkspaceId,
} from '#kernel';
import type { ScanAnnouncement } from '#scans';

/** A reference to an event of the log that is valid in any store. */
export interface EventReference {
  readonly eventId: string;
  readonly stream: StreamName;
  readonly revision: Revision;
}

/** The public sequence of one workspace: its order is the order in which agencies read it (D57). */
export interface EventPublished {
  readonly type: 'eventFeed.eventPublished.v1';
  readonly data: {
    readonly eventId: PublicEventId;
    readonly eventType: PublicEventType;
    readonly creatorId: CreatorId;
    /** The log has been published up to this point; publishing resumes here after a crash (D58). */
    readonly cause: EventReference;
    /** The event that requested a retry, if the cause had been set aside (D67): the log has been published up to it. */
    readonly retry?: EventReference;
    readonly personal: { readonly bytes: string };
  };
}

export const EVENT_FEED = 'eventFeed';

export const publish = (
  { id, type, creatorId, bytes }: PublicEvent,
  cause: EventReference,
  retry?: EventReference,
): EventPublished => ({
  type: 'eventFeed.eventPublished.v1',
  data: { eventId: id, eventType: type, creatorId, cause, ...(retry && { retry }), personal: { bytes } },
});

/** The event up to which the log had been published at that time. */
export const publishedThrough = ({ cause, retry }: EventPublished['data']): EventReference => retry ?? cause;

export type Announcement =
  | CreatorAnnouncement
  | CaseAnnouncement
  | ImpersonationAnnouncement
  | ScanAnnouncement
  | DeindexAnnouncement;
export type PublicEventType = Announcement['type'];

const IS_PUBLIC: Readonly<Record<PublicEventType, true>> = {
  'protection.activated': true,
  'protection.paused': true,
  'scan.completed': true,
  'scan.failed': true,
  'creator.updated': true,
  'case.created': true,
  'case.updated': true,
  'case.deleted': true,
  'deindex.status_changed': true,
  'impersonation.created': true,
  'impersonation.updated': true,
  'impersonation.deleted': true,
};
/** All types of events in the feed and in webhooks (D56). */
export const PUBLIC_EVENT_TYPES = Object.keys(IS_PUBLIC) as readonly PublicEventType[];

export interface PublicEvent {
  readonly id: PublicEventId;
  readonly type: PublicEventType;
  readonly creatorId: CreatorId;
  /** The envelope as JSON. It is created once (D58). */
  readonly bytes: string;
}

/**
 * The same cause and type at the same time of the feed give the same id and bytes. Throws `PersonalDataUnreadable` if a
 * text could not be decrypted (D71): in the bytes, nothing distinguishes it from a text that an agency sent (D86).
 */
export const publicEvent = (
  { type, creatorId, data }: Announcement,
  cause: { readonly id: string; readonly at: Instant; readonly workspaceId: WorkspaceId },
  feedTime: Instant,
): PublicEvent => {
  if (holdsEncrypted(data)) {
    throw new PersonalDataUnreadable(`${type} was not published: personal data of ${creatorId} cannot be decrypted`);
  }
  const id = publicEventId(cause.id, feedTime, type);
  const envelope = {
    id,
    type,
    workspace_id: cause.workspaceId,
    created_at: cause.at,
    simulated: false,
    data: { creator_id: creatorId, ...data },
  };
  return { id, type, creatorId, bytes: JSON.stringify(envelope) };
};

/** A UUIDv8: a time, by which the event is found in its feed, then a hash of cause and type. */
export const publicEventId = (causeId: string, feedTime: Instant, type: PublicEventType): PublicEventId => {
  const bytes = createHash('sha256').update(`${causeId}:${type}`).digest().subarray(0, 16);
  bytes.writeUIntBE(feedTime, 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return typeIdOfBytes('event', bytes);
};

/** The lowest id of that time: all earlier events have lower ids, and no later event does. */
export const firstIdAt = (at: Instant): PublicEventId => {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(Math.min(Math.max(at, 0), MAX_TIME), 0, 6);
  return typeIdOfBytes('event', bytes);
};

/** The range of the ids of those times, both included. */
export const idsBetween = (
  from?: Instant,
  to?: Instant,
): { readonly gte?: PublicEventId; readonly lt?: PublicEventId } => ({
  ...(from !== undefined && { gte: firstIdAt(from) }),
  ...(to !== undefined && { lt: firstIdAt(to + 1) }),
});

const MAX_TIME = 2 ** 48 - 1;

export const instantIn = (id: PublicEventId): Instant => Buffer.from(bytesOfTypeId(id)).readUIntBE(0, 6);
