import type { Task } from '#kernel';
import type { KeyUse } from '../../agencies/src/application/key-uses.js';
import type { KeyDocument } from '../../agencies/src/read-models/key-list.js';
import type { SyncCursor } from '../../cases/src/application/case-synchronization.js';
import type { CaseDocument } from '../../cases/src/read-models/case-list.js';
import type { CaseOfCreator } from '../../cases/src/read-models/cases-of-creators.js';
import type { Confirmation } from '../../creators/src/application/access/memberships.js';
import type { AddressMails } from '../../creators/src/application/enrollment/invitation-mails.js';
import type { LeftOutDocument } from '../../creators/src/application/membership/left-out-records.js';
import type { CreatorEntry } from '../../creators/src/read-models/creator-roster.js';
import type { CreatorWord } from '../../creators/src/read-models/creator-words.js';
import type { CreatorOfProfile } from '../../creators/src/read-models/creators-of-profiles.js';
import type { CreatorOfUserDocument } from '../../creators/src/read-models/creators-of-users.js';
import type { DeindexRequestOfCreator } from '../../deindexing/src/read-models/deindex-requests-of-creators.js';
import type { EventDayDocument } from '../../event-feed/src/read-models/event-days.js';
import type { FeedEventDocument } from '../../event-feed/src/read-models/feed-index.js';
import type { WalkCursor } from '../../impersonations/src/application/impersonation-synchronization.js';
import type { ImpersonationDocument } from '../../impersonations/src/read-models/impersonation-list.js';
import type { DeadLetterDocument } from '../../projections/src/dead-letters/dead-letter-list.js';
import type { LiveCollection } from '../../projections/src/stored-live-collections.js';
import type { ScanJobDocument } from '../../scans/src/read-models/scan-jobs.js';
import type { ScanOfCreator } from '../../scans/src/read-models/scans-of-creators.js';
import type { Share, TextPart } from '../../usage/src/application/usage-statements.js';
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

type Split<Text extends string, By extends string> = Text extends `${infer Word}${By}${infer Rest}`
  ? Word | Split<Rest, By>
  : Text;
type Words<Text extends string> = Exclude<Split<Split<Text, '\n'>, ' '>, ''>;

/** Does not compile unless the words are exactly the paths of the document. */
const fieldsOf =
  <D>() =>
  <Text extends string>(
    words: [Words<Text>, PathsOf<Omit<D, 'id'>>] extends [PathsOf<Omit<D, 'id'>>, Words<Text>] ? Text : never,
  ): readonly string[] =>
    words.trim().split(/\s+/);

/** The paths of the fields in the documents of each collection, without the id and the position. */
export const DOCUMENT_FIELDS: Readonly<Record<string, readonly string[]>> = {
  set_aside: fieldsOf<DeadLetterDocument>()(`
    runner part scope workspaceId error at eventId correlationId item item.kind item.eventId item.stream
    item.revision item.itemId item.dueKind item.subject item.cause item.cause.id item.cause.correlationId
    item.deliveryId
  `),
  cases: fieldsOf<CaseDocument>()(`
    caseId creatorId leakId scanId available finding finding.url finding.status finding.statusCode
    finding.actionable finding.deadOnArrival finding.createdAt finding.updatedAt
  `),
  cases_of_creators: fieldsOf<CaseOfCreator>()('workspaceId creatorId order status isOpen site source url'),
  impersonations: fieldsOf<ImpersonationDocument>()(`
    impersonationId creatorId available record record.platform record.url record.username record.status
    record.createdAt record.updatedAt
  `),
  keys: fieldsOf<KeyDocument>()('agencyId epoch name scopes lastFour createdAt expiresAt revokedAt'),
  webhook_endpoints: fieldsOf<EndpointDocument>()(`
    agencyId workspaceId epoch url createdAt registeredAt spans spans.from spans.until spans.types types status
    disabledBecause failingSince failingFrom firstDeliveredAt
  `),
  webhook_deliveries: fieldsOf<DeliveryDocument>()(`
    agencyId endpointId creatorId eventId eventType feedRevision status at attempts lastStatus lastError replay lane
    readyAt failures tries
  `),
  webhook_endpoint_health: fieldsOf<EndpointHealthDocument>()(`
    pending lastFailureAt hours hours.hour hours.delivered hours.failed hours.timed hours.ms
  `),
  webhook_missed_events: fieldsOf<MissedEventsDocument>()(`
    endpoints endpoints.endpointId endpoints.types endpoints.disabledAt endpoints.missed ended ended.endpointId
    ended.from ended.to ended.count
  `),
  feed_events: fieldsOf<FeedEventDocument>()('workspaceId eventType creatorId revision'),
  usage_months: fieldsOf<UsageMonth>()('workspaceId month closed creators open openOffsets openCounted metered'),
  usage_intervals: fieldsOf<UsageInterval>()('workspaceId creatorId month isOpen from to'),
  creator_roster: fieldsOf<CreatorEntry>()('workspaceId isShown enrollment protection createdAt order state'),
  creator_words: fieldsOf<CreatorWord>()('workspaceId word creatorId'),
  creators_of_profiles: fieldsOf<CreatorOfProfile>()('creatorId'),
  scans_of_creators: fieldsOf<ScanOfCreator>()('creatorId order'),
  deindex_requests_of_creators: fieldsOf<DeindexRequestOfCreator>()('creatorId caseId order'),
  creators_of_users: fieldsOf<CreatorOfUserDocument>()('creatorId'),
  scan_jobs: fieldsOf<ScanJobDocument>()('scanId creatorId'),
  due_work: fieldsOf<Task>()(`
    kind subject workspaceId dueAt readyAt plannedFor failures tries isSetAside cause cause.id cause.correlationId
  `),
  live_collections: fieldsOf<LiveCollection>()(`
    collection version change rebuild rebuild.collection rebuild.version rebuild.position rebuild.holder rebuild.beat
    rebuild.isFilled comparison comparison.collection comparison.version comparison.position comparison.holder comparison.beat
    comparison.isFilled
  `),
  invitation_mails: fieldsOf<AddressMails>()('mails mails.at mails.reference mails.isResend revision expiresAt'),
  usage_statement_parts: fieldsOf<TextPart & Share>()('text share expiresAt'),
  membership_confirmations: fieldsOf<Confirmation>()('at'),
  left_out_records: fieldsOf<LeftOutDocument>()(`
    agencyId creatorId kind walkedAt count records records.id records.reason records.since
  `),
  case_sync_marks: fieldsOf<SyncCursor>()('through position'),
  impersonation_walk_marks: fieldsOf<WalkCursor>()('through position records readIn'),
  event_days: fieldsOf<EventDayDocument>()('workspaceId day count'),
  key_uses: fieldsOf<KeyUse>()('at'),
};
