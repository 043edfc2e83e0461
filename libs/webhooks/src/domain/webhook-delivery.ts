import type { FeedFilter, PublicEventType } from '#event-feed';
import {
  type AgencyId,
  type CreatorId,
  type Decider,
  DomainError,
  type Duration,
  derivedId,
  HOUR,
  type Instant,
  type PublicEventId,
  type Revision,
  SECOND,
  unknownEvent,
  type WebhookDeliveryId,
  type WebhookEndpointId,
  type WorkspaceId,
} from '#kernel';
import type { SendResult } from './send-result.js';
import type { OfEndpoint } from './webhook-endpoint.events.js';

export const DELIVERY_STATUSES = ['pending', 'failed', 'delivered'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Selects deliveries. The times are those of their events, both inclusive. */
export interface DeliveryFilter extends FeedFilter {
  readonly status?: DeliveryStatus | undefined;
  /** The status of the last answer, such as `503`, or the class of the error, such as `timeout`. */
  readonly answer?: string | undefined;
  readonly eventId?: PublicEventId | undefined;
  /** Only those that failed permanently, at that time or later. */
  readonly failedSince?: Instant | undefined;
  /** Only pending and failed ones of active endpoints. */
  readonly undelivered?: boolean | undefined;
}

/** Why a delivery failed permanently before its attempts were used up. */
export type RevocationReason = 'access_revoked' | 'agency_denied' | 'erased' | 'endpoint_disabled';

export interface AttemptResult extends OfEndpoint, SendResult {
  /** Counted over all replays. */
  readonly attempt: number;
}

export type WebhookDeliveryEvent =
  | {
      readonly type: 'webhookDelivery.scheduled.v1';
      readonly data: OfEndpoint & {
        readonly deliveryId: WebhookDeliveryId;
        readonly agencyId: AgencyId;
        readonly creatorId: CreatorId;
        readonly eventId: PublicEventId;
        readonly eventType: PublicEventType;
        /** Where the event's bytes are. Only the feed stores them, so that they can be erased (D58). */
        readonly workspaceId: WorkspaceId;
        readonly feedRevision: Revision;
      };
    }
  | {
      readonly type: 'webhookDelivery.attemptFailed.v1';
      readonly data: AttemptResult & { readonly nextAttemptAt: Instant };
    }
  | { readonly type: 'webhookDelivery.delivered.v1'; readonly data: AttemptResult }
  /** The last attempt failed too. */
  | { readonly type: 'webhookDelivery.exhausted.v1'; readonly data: AttemptResult }
  /** Its creator is missing: no attempt was made, and the next one is due at that time (D77). */
  | {
      readonly type: 'webhookDelivery.postponed.v1';
      readonly data: OfEndpoint & { readonly reason: 'creator_missing'; readonly until: Instant };
    }
  | { readonly type: 'webhookDelivery.revoked.v1'; readonly data: OfEndpoint & { readonly reason: RevocationReason } }
  | {
      readonly type: 'webhookDelivery.replayRequested.v1';
      readonly data: OfEndpoint & {
        /** The number of the endpoint's replay of all that matches; absent for a delivery that was chosen alone. */
        readonly replay?: number;
      };
    };

/** The process that schedules deliveries, as a runner of the log and the actor of what it records. */
export const WEBHOOK_SCHEDULING = 'webhook-scheduling';

/** D62: how long a delivery waits, once it is due, while its agency is denied. */
export const MAX_SUSPENSION: Duration = 72 * HOUR;

const MIN_POSTPONEMENT: Duration = 30 * SECOND;
const MAX_POSTPONEMENT: Duration = HOUR;

export type ScheduledDelivery = Extract<WebhookDeliveryEvent, { type: 'webhookDelivery.scheduled.v1' }>['data'];

export interface KnownDelivery extends ScheduledDelivery {
  readonly status: DeliveryStatus;
  /** How many attempts there were in all, and how many of them before the latest replay. */
  readonly attempts: number;
  readonly attemptsBefore: number;
  /** The number of the latest replay of all that matches which has replayed it; 0 before one. */
  readonly latestReplay: number;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  /** When its next attempt is due, or was. */
  readonly dueAt: Instant;
}

export type PendingDelivery = KnownDelivery & { readonly status: 'pending' };

export type WebhookDelivery = { readonly status: 'unknown' } | KnownDelivery;

export const webhookDeliveryDecider: Decider<WebhookDelivery, WebhookDeliveryEvent> = {
  category: 'webhookDelivery',
  initial: { status: 'unknown' },
  evolve: (state, event, at) => {
    if (event.type === 'webhookDelivery.scheduled.v1') {
      const untried = { attempts: 0, attemptsBefore: 0, latestReplay: 0, lastStatus: null, lastError: null };
      return { status: 'pending', ...event.data, ...untried, dueAt: at };
    }
    if (state.status === 'unknown') return state;
    const tried = ({ attempt, status, error }: AttemptResult) => ({
      ...state,
      attempts: attempt,
      lastStatus: status,
      lastError: error,
    });
    switch (event.type) {
      case 'webhookDelivery.attemptFailed.v1':
        return { ...tried(event.data), status: 'pending', dueAt: event.data.nextAttemptAt };
      case 'webhookDelivery.delivered.v1':
        return { ...tried(event.data), status: 'delivered' };
      case 'webhookDelivery.exhausted.v1':
        return { ...tried(event.data), status: 'failed' };
      case 'webhookDelivery.postponed.v1':
        return { ...state, dueAt: event.data.until };
      case 'webhookDelivery.revoked.v1':
        return { ...state, status: 'failed', lastError: event.data.reason };
      case 'webhookDelivery.replayRequested.v1': {
        const latestReplay = event.data.replay ?? state.latestReplay;
        return { ...state, status: 'pending', attemptsBefore: state.attempts, latestReplay, dueAt: at };
      }
      default:
        return unknownEvent(event, state);
    }
  },
};

/** An event is delivered to an endpoint once. */
export const deliveryIdOf = (endpointId: WebhookEndpointId, eventId: PublicEventId): WebhookDeliveryId =>
  derivedId('webhookDelivery', endpointId, eventId);

/** The stream is the reservation: a second one is a repeat. */
export function scheduleDelivery(state: WebhookDelivery, order: ScheduledDelivery): WebhookDeliveryEvent[] {
  return state.status === 'unknown' ? [{ type: 'webhookDelivery.scheduled.v1', data: order }] : [];
}

/** D60: the first attempt and four more. */
export const MAX_ATTEMPTS = 5;
const JITTER = 0.2;
const MAX_RETRY_AFTER_FACTOR = 2;

interface Backoff {
  /** The wait after the first failure, the second and so on. After the last value it repeats. */
  readonly waits: readonly Duration[];
  /** Where this wait is within the jitter, from -1 to 1. */
  readonly jitter: number;
}

/** The wait after this many failed attempts. The receiver may ask for more, up to twice as much (D60). */
export const retryWait = (failures: number, { waits, jitter }: Backoff, retryAfter: Duration = 0): Duration => {
  const planned = waits[Math.min(failures, waits.length) - 1] ?? 0;
  const wait = Math.round(planned * (1 + JITTER * jitter));
  return Math.min(Math.max(wait, retryAfter), MAX_RETRY_AFTER_FACTOR * wait);
};

export const longestRetryWait = (waits: readonly Duration[]): Duration =>
  MAX_RETRY_AFTER_FACTOR * (1 + JITTER) * Math.max(0, ...waits);

interface Attempted {
  readonly attempt: number;
  readonly result: SendResult;
  readonly retryAfter?: Duration | undefined;
}

/** Records the result of the attempt with this number, once. */
export function recordAttempt(
  state: WebhookDelivery,
  { attempt, result, retryAfter }: Attempted,
  backoff: Backoff,
  now: Instant,
): WebhookDeliveryEvent[] {
  if (state.status !== 'pending' || attempt !== state.attempts + 1) return [];
  const data = { endpointId: state.endpointId, attempt, ...result };
  if (result.error === null) return [{ type: 'webhookDelivery.delivered.v1', data }];
  const failures = attempt - state.attemptsBefore;
  if (failures >= MAX_ATTEMPTS) return [{ type: 'webhookDelivery.exhausted.v1', data }];
  const nextAttemptAt = now + retryWait(failures, backoff, retryAfter);
  return [{ type: 'webhookDelivery.attemptFailed.v1', data: { ...data, nextAttemptAt } }];
}

/** D77: the creator may return soon or never, so the waits grow with the time that it has been missing. */
export function postponeDelivery(state: WebhookDelivery, missingSince: Instant, now: Instant): WebhookDeliveryEvent[] {
  if (state.status !== 'pending') return [];
  const wait = Math.min(Math.max(now - missingSince, MIN_POSTPONEMENT), MAX_POSTPONEMENT);
  const data = { endpointId: state.endpointId, reason: 'creator_missing', until: now + wait } as const;
  return [{ type: 'webhookDelivery.postponed.v1', data }];
}

export function revokeDelivery(state: WebhookDelivery, reason: RevocationReason): WebhookDeliveryEvent[] {
  if (state.status !== 'pending') return [];
  return [{ type: 'webhookDelivery.revoked.v1', data: { endpointId: state.endpointId, reason } }];
}

/** D62: the endpoint's replay of that number replays it once; a number that is not above the latest one is a repeat. */
export function replayDelivery(state: WebhookDelivery, replay?: number): WebhookDeliveryEvent[] {
  const { status, endpointId, latestReplay } = requireKnown(state);
  if (status === 'pending' || (replay !== undefined && replay <= latestReplay)) return [];
  const data = replay === undefined ? { endpointId } : { endpointId, replay };
  return [{ type: 'webhookDelivery.replayRequested.v1', data }];
}

export const requireKnown = (state: WebhookDelivery): KnownDelivery => {
  if (state.status === 'unknown') throw new DomainError('not_found');
  return state;
};
