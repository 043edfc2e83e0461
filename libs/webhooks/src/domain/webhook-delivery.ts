import {
  type Decider,
  DomainError,
  type Duration,
  derivedId,
  HOUR,
  type Instant,
  type PublicEventId,
  SECOND,
  unknownEvent,
  type WebhookDeliveryId,
  type WebhookEndpointId,
} from '#kernel';
import { type Backoff, MAX_ATTEMPTS, retryWait } from './retry-wait.js';
import { resultOf, type SendOutcome, type SendResult, type Timing } from './send-result.js';
import type { RevocationReason, WebhookDeliveryEvent } from './webhook-delivery.events.js';

/** The process that schedules deliveries, as a runner of the log and the actor of what it records. */
export const WEBHOOK_SCHEDULING = 'webhook-scheduling';

/** D62: how long a delivery waits while its agency is denied. */
export const MAX_SUSPENSION: Duration = 72 * HOUR;

const MIN_POSTPONEMENT: Duration = 30 * SECOND;
const MAX_POSTPONEMENT: Duration = HOUR;

export type DeliveryOrder = Extract<WebhookDeliveryEvent, { type: 'webhookDelivery.scheduled.v1' }>['data'];

export interface KnownDelivery extends DeliveryOrder {
  /** How many attempts there were in all, and how many of them before the latest replay. */
  readonly attempts: number;
  readonly attemptsBefore: number;
  /** The number of the latest replay of all that matches which has replayed it; 0 before one. */
  readonly latestReplay: number;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
}

export interface PendingDelivery extends KnownDelivery {
  readonly status: 'pending';
  readonly dueAt: Instant;
}

export type WebhookDelivery =
  | { readonly status: 'unknown' }
  | PendingDelivery
  | (KnownDelivery & { readonly status: 'delivered' | 'failed' });

export const webhookDeliveryDecider: Decider<WebhookDelivery, WebhookDeliveryEvent> = {
  category: 'webhookDelivery',
  initial: { status: 'unknown' },
  evolve: (state, event, at) => {
    if (event.type === 'webhookDelivery.scheduled.v1') {
      const untried = { attempts: 0, attemptsBefore: 0, latestReplay: 0, lastStatus: null, lastError: null };
      return { status: 'pending', ...event.data, ...untried, dueAt: at };
    }
    if (state.status === 'unknown') return state;
    const tried = ({ attempt, status, error }: SendResult & { readonly attempt: number }) => ({
      ...withoutDueTime(state),
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
        return state.status === 'pending' ? { ...state, dueAt: event.data.until } : state;
      case 'webhookDelivery.revoked.v1':
        return { ...withoutDueTime(state), status: 'failed', lastError: event.data.reason };
      case 'webhookDelivery.replayRequested.v1': {
        const latestReplay = event.data.replay ?? state.latestReplay;
        return { ...withoutDueTime(state), status: 'pending', attemptsBefore: state.attempts, latestReplay, dueAt: at };
      }
      default:
        return unknownEvent(event, state);
    }
  },
};

/** The id derives from endpoint and event, so that an event is delivered to an endpoint once. */
export const deliveryIdOf = (endpointId: WebhookEndpointId, eventId: PublicEventId): WebhookDeliveryId =>
  derivedId('webhookDelivery', endpointId, eventId);

/** The stream is the reservation: a second order is a repeat. */
export function scheduleDelivery(state: WebhookDelivery, order: DeliveryOrder): WebhookDeliveryEvent[] {
  return state.status === 'unknown' ? [{ type: 'webhookDelivery.scheduled.v1', data: order }] : [];
}

interface Attempted {
  /** Its number, counted over all replays. */
  readonly attempt: number;
  readonly outcome: SendOutcome;
  readonly timing: Timing;
}

/**
 * Records the result of the attempt with this number, once. A number that was already recorded changes nothing, and
 * neither does a delivery that is not pending.
 */
export function recordAttempt(
  state: WebhookDelivery,
  { attempt, outcome, timing }: Attempted,
  backoff: Backoff,
  now: Instant,
): WebhookDeliveryEvent[] {
  if (state.status !== 'pending' || attempt !== state.attempts + 1) return [];
  const data = { endpointId: state.endpointId, attempt, ...resultOf(outcome, timing) };
  if (outcome.kind === 'delivered') return [{ type: 'webhookDelivery.delivered.v1', data }];
  const failures = attempt - state.attemptsBefore;
  if (failures >= MAX_ATTEMPTS) return [{ type: 'webhookDelivery.exhausted.v1', data }];
  const retryAfter = outcome.kind === 'refused' ? outcome.retryAfter : undefined;
  const nextAttemptAt = now + retryWait(failures, backoff, retryAfter);
  return [{ type: 'webhookDelivery.attemptFailed.v1', data: { ...data, nextAttemptAt } }];
}

/**
 * D77: its creator is missing. It may return soon or never, so the waits grow with the time that it has been missing.
 * Its return, or the end of its membership, ends the wait.
 */
export function postponeDelivery(state: WebhookDelivery, missingSince: Instant, now: Instant): WebhookDeliveryEvent[] {
  if (state.status !== 'pending') return [];
  const wait = Math.min(Math.max(now - missingSince, MIN_POSTPONEMENT), MAX_POSTPONEMENT);
  const data = { endpointId: state.endpointId, reason: 'creator_missing', until: now + wait } as const;
  return [{ type: 'webhookDelivery.postponed.v1', data }];
}

/** It fails permanently, without an attempt. */
export function revokeDelivery(state: WebhookDelivery, reason: RevocationReason): WebhookDeliveryEvent[] {
  if (state.status !== 'pending') return [];
  return [{ type: 'webhookDelivery.revoked.v1', data: { endpointId: state.endpointId, reason } }];
}

/** D62: fails after 72 hours in which it was due and its agency denied. */
export function expireIfSuspendedTooLong(
  state: WebhookDelivery,
  suspendedSince: Instant,
  now: Instant,
): WebhookDeliveryEvent[] {
  if (state.status !== 'pending' || now - Math.max(state.dueAt, suspendedSince) < MAX_SUSPENSION) return [];
  return revokeDelivery(state, 'agency_denied');
}

/**
 * D62: a delivery that has attempts left is pending anyway. The endpoint's replay of that number replays it once; a
 * number that is not above the latest one is a repeat.
 */
export function replayDelivery(state: WebhookDelivery, replay?: number): WebhookDeliveryEvent[] {
  const { status, endpointId, latestReplay } = requireKnown(state);
  if (status === 'pending' || (replay !== undefined && replay <= latestReplay)) return [];
  const data = replay === undefined ? { endpointId } : { endpointId, replay };
  return [{ type: 'webhookDelivery.replayRequested.v1', data }];
}

export const requireKnown = (state: WebhookDelivery): Exclude<WebhookDelivery, { status: 'unknown' }> => {
  if (state.status === 'unknown') throw new DomainError('not_found');
  return state;
};

const withoutDueTime = (state: Exclude<WebhookDelivery, { status: 'unknown' }>): KnownDelivery => {
  if (state.status !== 'pending') return state;
  const { dueAt: _, ...known } = state;
  return known;
};
