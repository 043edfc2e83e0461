import {
  type Announcement,
  EVENT_FEED,
  type EventPublished,
  PUBLIC_EVENT_TYPES,
  publicEvent,
  publish,
} from '#event-feed';
import {
  type AgencyId,
  type CreatorId,
  DAY,
  type DomainEvent,
  derivedUuid,
  type EventLog,
  HOUR,
  type Instant,
  type LogPage,
  newEventId,
  type ReadLog,
  type RecordedEvent,
  type StreamName,
  streamName,
  type WebhookEndpointId,
  type WorkspaceId,
} from '#kernel';
import { monthOf, spanOf } from '#usage';
import { deliveryIdOf, type WebhookDeliveryEvent } from '#webhooks';
import type { UsageMeterEvent } from '../../../libs/usage/src/domain/usage-meter.js';

export interface HistorySize {
  readonly events: number;
  readonly deliveries: number;
  readonly intervals: number;
}

export interface HistoryOf extends HistorySize {
  readonly agencyId: AgencyId;
  readonly workspaceId: WorkspaceId;
  readonly creators: readonly CreatorId[];
  readonly endpoints: readonly WebhookEndpointId[];
  /** How many events the feed's stream has before those. */
  readonly published: number;
  readonly now: Instant;
}

const FEED_BEGAN_BEFORE = 60 * DAY;
/** Each event goes to so many endpoints, because they take different types. */
const ENDPOINTS_OF_EVENT = 5;

interface Made {
  readonly stream: StreamName;
  readonly revision: number;
  readonly at: Instant;
  readonly event: EventPublished | WebhookDeliveryEvent | UsageMeterEvent;
}

/** Events that only read models see: they are made while the read models are built, and no stream has them. */
export class DashboardHistory {
  constructor(private readonly of: HistoryOf) {}

  get size(): number {
    const { events, deliveries, intervals } = this.of;
    return events + 2 * deliveries + 2 * intervals;
  }

  /** The log, continued by these events. */
  after(log: EventLog, head: number): EventLog {
    const readLog = async (query: ReadLog): Promise<LogPage> => {
      if (query.after >= head) return this.page(query, head);
      const page = await log.readLog(query);
      return { ...page, atEnd: false };
    };
    return Object.assign(Object.create(log), { readLog, head: async () => head + this.size }) as EventLog;
  }

  feedEvent(n: number) {
    const { creators, events, workspaceId, now } = this.of;
    const at = now - FEED_BEGAN_BEFORE + Math.floor(((n + 1) * (FEED_BEGAN_BEFORE - HOUR)) / events);
    const creatorId = creators[(n * 7) % creators.length] as CreatorId;
    const type = PUBLIC_EVENT_TYPES[(n * 5) % PUBLIC_EVENT_TYPES.length];
    // The index keeps the type; the rest of what is announced is not read here.
    const announcement = { type, creatorId, data: {} } as unknown as Announcement;
    const causeId = `cause-${n}`;
    return { at, published: publicEvent(announcement, { id: causeId, at, workspaceId }, at), causeId };
  }

  private page({ after, types, limit = 1_000 }: ReadLog, head: number): LogPage {
    const events: RecordedEvent[] = [];
    let n = after - head;
    for (; n < this.size && events.length < limit; n++) {
      if (types !== undefined && !this.isWanted(n, types)) continue;
      const { stream, revision, at, event } = this.made(n);
      if (types !== undefined && !types.has(event.type)) continue;
      events.push(this.recorded(event, { stream, revision, at, position: head + n + 1 }));
    }
    return { events, reached: head + n, atEnd: n >= this.size };
  }

  private recorded(
    event: DomainEvent,
    { at, ...where }: Pick<RecordedEvent, 'stream' | 'revision' | 'position'> & { readonly at: Instant },
  ): RecordedEvent {
    const { workspaceId } = this.of;
    const metadata = { at, correlationId: 'bench', causationId: null, actor: 'process:bench', workspaceId };
    return { id: newEventId(), ...event, ...where, metadata };
  }

  /** Without making it, as most are not. */
  private isWanted(n: number, types: ReadonlySet<string>): boolean {
    const { events, deliveries } = this.of;
    if (n < events) return types.has('eventFeed.eventPublished.v1');
    return types.has(n < events + 2 * deliveries ? 'webhookDelivery.scheduled.v1' : 'usageMeter.meteringStarted.v1');
  }

  private made(n: number): Made {
    const { events, deliveries } = this.of;
    if (n < events) return this.publishedEvent(n);
    const rest = n - events;
    return rest < 2 * deliveries ? this.delivery(rest) : this.metered(rest - 2 * deliveries);
  }

  private publishedEvent(n: number): Made {
    const { at, published, causeId } = this.feedEvent(n);
    const event = publish(published, { eventId: causeId, stream: streamName('scan', causeId), revision: 0 });
    const stream = streamName(EVENT_FEED, this.of.workspaceId);
    return { stream, revision: this.of.published + n, at, event };
  }

  /** Of the latest events: nine of ten are delivered, the others are pending or have failed. */
  private delivery(n: number): Made {
    const { agencyId, workspaceId, endpoints, events, deliveries, published } = this.of;
    const [number, isOutcome] = [Math.floor(n / 2), n % 2 === 1];
    const ofFeed = events - Math.ceil(deliveries / ENDPOINTS_OF_EVENT) + Math.floor(number / ENDPOINTS_OF_EVENT);
    const { at, published: announced } = this.feedEvent(ofFeed);
    const endpointId = endpoints[(ofFeed + (number % ENDPOINTS_OF_EVENT) * 7) % endpoints.length] as WebhookEndpointId;
    const deliveryId = deliveryIdOf(endpointId, announced.id);
    const stream = streamName('webhookDelivery', deliveryId);
    if (isOutcome) return { stream, revision: 1, at: at + 100, event: this.outcome(number, endpointId, at) };
    const { creatorId, id: eventId, type: eventType } = announced;
    const order = { deliveryId, endpointId, agencyId, creatorId, eventId, eventType, workspaceId };
    const data = { ...order, feedRevision: published + ofFeed };
    return { stream, revision: 0, at, event: { type: 'webhookDelivery.scheduled.v1', data } };
  }

  private outcome(number: number, endpointId: WebhookEndpointId, at: Instant): WebhookDeliveryEvent {
    const attempt = { endpointId, attempt: 1, sentAt: at, ms: 40 + (number % 50) };
    const refused = { ...attempt, status: 503, error: 'refused' } as const;
    const unanswered = { ...attempt, status: null, error: 'timeout' } as const;
    if (number % 20 === 1)
      return { type: 'webhookDelivery.attemptFailed.v1', data: { ...refused, nextAttemptAt: this.of.now + DAY } };
    if (number % 20 === 11)
      return { type: 'webhookDelivery.exhausted.v1', data: number % 40 === 11 ? refused : unanswered };
    return { type: 'webhookDelivery.delivered.v1', data: { ...attempt, status: 204, error: null } };
  }

  /** Intervals of the present month, as many for each creator. */
  private metered(n: number): Made {
    const { creators, intervals, workspaceId, now } = this.of;
    const [number, isStop] = [Math.floor(n / 2), n % 2 === 1];
    const creatorId = creators[number % creators.length] as CreatorId;
    const { start } = spanOf(monthOf(now));
    const each = Math.ceil(intervals / creators.length);
    const length = Math.floor((now - start) / each);
    const from = start + Math.floor(number / creators.length) * length + (number % 1_000);
    const to = from + Math.floor(length / 2);
    const cause = { eventId: derivedUuid('cause', creatorId, n), revision: n };
    const metered = { creatorId, workspaceId, cause, from, isCounted: number >= creators.length };
    const stream = streamName('usageMeter', creatorId);
    if (!isStop)
      return { stream, revision: n, at: from, event: { type: 'usageMeter.meteringStarted.v1', data: metered } };
    const data = { ...metered, to, newMonths: [] };
    return { stream, revision: n, at: to, event: { type: 'usageMeter.meteringStopped.v1', data } };
  }
}
