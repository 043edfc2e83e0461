import type { Task } from '#kernel';
import type { KeyUse } from '../../agencies/src/application/key-uses.js';
import type { KeyDocument } from '../../agencies/src/read-models/key-list.js';
import type { CaseDocument } from '../../cases/src/read-models/case-list.js';
import type { SyncMark } from '../../cases/src/read-models/sync-marks.js';
import type { Confirmation } from '../../creators/src/application/access/memberships.js';
import type { AddressMails } from '../../creators/src/application/enrollment/invitation-mails.js';
import type { LeftOutDocument } from '../../creators/src/application/membership/left-out-records.js';
import type { CreatorEntry } from '../../creators/src/read-models/creator-roster.js';
import type { CreatorOfProfile } from '../../creators/src/read-models/creators-of-profiles.js';
import type { CreatorOfUserDocument } from '../../creators/src/read-models/creators-of-users.js';
import type { DeindexRequestOfCreator } from '../../deindexing/src/read-models/deindex-requests-of-creators.js';
import type { EventDayDocument } from '../../event-feed/src/read-models/event-days.js';
import type { FeedEventDocument } from '../../event-feed/src/read-models/feed-index.js';
import type { ImpersonationDocument } from '../../impersonations/src/read-models/impersonation-list.js';
import type { WalkMark } from '../../impersonations/src/read-models/walk-marks.js';
import type { DeadLetterDocument } from '../../projections/src/dead-letters/dead-letter-list.js';
import type { LiveCollection } from '../../projections/src/stored-live-collections.js';
import type { ScanJobDocument } from '../../scans/src/read-models/scan-jobs.js';
import type { ScanOfCreator } from '../../scans/src/read-models/scans-of-creators.js';
import type { Share, TextPart } from '../../usage/src/application/statement-texts.js';
import type { UsageInterval } from '../../usage/src/read-models/usage-intervals.js';
import type { UsageMonth } from '../../usage/src/read-models/usage-months.js';
import type { DeliveryDocument } from '../../webhooks/src/read-models/delivery-list.js';
import type { EndpointHealthDocument } from '../../webhooks/src/read-models/endpoint-health.js';
import type { EndpointDocument } from '../../webhooks/src/read-models/endpoint-list.js';
import type { MissedEventsDocument } from '../../webhooks/src/read-models/missed-events.js';

/** The paths of all fields, as a query in MongoDB names them. Branded strings and numbers have no fields. */
type PathsOf<T> = T extends string | number | boolean | null | undefined
  ? never
  : T extends readonly (infer Item)[]
    ? PathsOf<Item>
    : { [Key in keyof T & string]-?: Key | `${Key}.${PathsOf<T[Key]>}` }[keyof T & string];

/** Does not compile unless the paths are those of the document, all of them and no others. */
const fieldsOf = <D>(paths: Readonly<Record<PathsOf<Omit<D, 'id'>>, true>>): readonly string[] => Object.keys(paths);

const SHADOW = ['', '.collection', '.version', '.position', '.beat', '.isFilled'] as const;
const SHADOWS = Object.fromEntries(
  (['rebuild', 'comparison'] as const).flatMap((kind) => SHADOW.map((path) => [`${kind}${path}`, true])),
) as Record<`${'rebuild' | 'comparison'}${(typeof SHADOW)[number]}`, true>;

/** The paths of the fields in the documents of each collection, without the id and the position. */
export const DOCUMENT_FIELDS: Readonly<Record<string, readonly string[]>> = {
  set_aside: fieldsOf<DeadLetterDocument>({
    runner: true,
    part: true,
    scope: true,
    workspaceId: true,
    error: true,
    at: true,
    eventId: true,
    correlationId: true,
    item: true,
    'item.kind': true,
    'item.eventId': true,
    'item.stream': true,
    'item.revision': true,
    'item.itemId': true,
    'item.dueKind': true,
    'item.subject': true,
    'item.cause': true,
    'item.cause.id': true,
    'item.cause.correlationId': true,
    'item.deliveryId': true,
  }),
  cases: fieldsOf<CaseDocument>({
    caseId: true,
    creatorId: true,
    leakId: true,
    scanId: true,
    available: true,
    finding: true,
    'finding.url': true,
    'finding.status': true,
    'finding.statusCode': true,
    'finding.actionable': true,
    'finding.deadOnArrival': true,
    'finding.createdAt': true,
    'finding.updatedAt': true,
  }),
  impersonations: fieldsOf<ImpersonationDocument>({
    impersonationId: true,
    creatorId: true,
    available: true,
    record: true,
    'record.platform': true,
    'record.url': true,
    'record.username': true,
    'record.status': true,
    'record.createdAt': true,
    'record.updatedAt': true,
  }),
  keys: fieldsOf<KeyDocument>({
    agencyId: true,
    epoch: true,
    name: true,
    scopes: true,
    createdAt: true,
    expiresAt: true,
    revokedAt: true,
  }),
  webhook_endpoints: fieldsOf<EndpointDocument>({
    agencyId: true,
    workspaceId: true,
    epoch: true,
    url: true,
    createdAt: true,
    registeredAt: true,
    spans: true,
    'spans.from': true,
    'spans.until': true,
    'spans.types': true,
    types: true,
    status: true,
    disabledBecause: true,
    failingSince: true,
  }),
  webhook_deliveries: fieldsOf<DeliveryDocument>({
    agencyId: true,
    endpointId: true,
    creatorId: true,
    eventId: true,
    eventType: true,
    feedRevision: true,
    status: true,
    at: true,
    attempts: true,
    lastStatus: true,
    lastError: true,
    replay: true,
    lane: true,
    readyAt: true,
    failures: true,
    tries: true,
  }),
  webhook_endpoint_health: fieldsOf<EndpointHealthDocument>({
    pending: true,
    lastFailureAt: true,
    hours: true,
    'hours.hour': true,
    'hours.delivered': true,
    'hours.failed': true,
    'hours.timed': true,
    'hours.ms': true,
  }),
  webhook_missed_events: fieldsOf<MissedEventsDocument>({
    endpoints: true,
    'endpoints.endpointId': true,
    'endpoints.types': true,
    'endpoints.disabledAt': true,
    'endpoints.missed': true,
    ended: true,
    'ended.endpointId': true,
    'ended.from': true,
    'ended.to': true,
    'ended.count': true,
  }),
  feed_events: fieldsOf<FeedEventDocument>({ workspaceId: true, eventType: true, creatorId: true, revision: true }),
  usage_months: fieldsOf<UsageMonth>({
    workspaceId: true,
    month: true,
    closed: true,
    creators: true,
    open: true,
    openOffsets: true,
    openCounted: true,
    metered: true,
  }),
  usage_intervals: fieldsOf<UsageInterval>({
    workspaceId: true,
    creatorId: true,
    month: true,
    isOpen: true,
    from: true,
    to: true,
  }),
  creator_roster: fieldsOf<CreatorEntry>({
    workspaceId: true,
    isShown: true,
    enrollment: true,
    protection: true,
    createdAt: true,
    state: true,
  }),
  creators_of_profiles: fieldsOf<CreatorOfProfile>({ creatorId: true }),
  scans_of_creators: fieldsOf<ScanOfCreator>({ creatorId: true, order: true }),
  deindex_requests_of_creators: fieldsOf<DeindexRequestOfCreator>({ creatorId: true, order: true }),
  creators_of_users: fieldsOf<CreatorOfUserDocument>({ creatorId: true }),
  scan_jobs: fieldsOf<ScanJobDocument>({ scanId: true, creatorId: true }),
  due_work: fieldsOf<Task>({
    kind: true,
    subject: true,
    workspaceId: true,
    dueAt: true,
    readyAt: true,
    plannedFor: true,
    failures: true,
    tries: true,
    isSetAside: true,
    cause: true,
    'cause.id': true,
    'cause.correlationId': true,
  }),
  live_collections: fieldsOf<LiveCollection>({ collection: true, version: true, change: true, ...SHADOWS }),
  invitation_mails: fieldsOf<AddressMails>({
    mails: true,
    'mails.at': true,
    'mails.reference': true,
    'mails.isResend': true,
    revision: true,
    expiresAt: true,
  }),
  usage_statement_parts: fieldsOf<TextPart & Share>({ text: true, share: true, expiresAt: true }),
  membership_confirmations: fieldsOf<Confirmation>({ at: true }),
  left_out_records: fieldsOf<LeftOutDocument>({
    agencyId: true,
    creatorId: true,
    kind: true,
    walkedAt: true,
    count: true,
    records: true,
    'records.id': true,
    'records.reason': true,
    'records.since': true,
  }),
  case_sync_marks: fieldsOf<SyncMark>({ through: true, position: true }),
  impersonation_walk_marks: fieldsOf<WalkMark>({ through: true, position: true, records: true, readIn: true }),
  event_days: fieldsOf<EventDayDocument>({ workspaceId: true, day: true, count: true }),
  key_uses: fieldsOf<KeyUse>({ at: true }),
};
