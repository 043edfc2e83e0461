import { DAY, type Document, type Duration, HOUR, type Instant, projection, type WebhookEndpointId } from '#kernel';
import { DASHBOARD_READ_MODELS, type ReadModel } from '#projections';
import type { AttemptResult, WebhookDeliveryEvent } from '../domain/webhook-delivery.events.js';
import type { OfEndpoint } from '../domain/webhook-endpoint.events.js';

const WINDOW: Duration = 7 * DAY;

interface AttemptsOfHour {
  readonly hour: Instant;
  readonly delivered: number;
  readonly failed: number;
  /** How many attempts have a duration, and how long they took together; builds up to 0.8 recorded none. */
  readonly timed: number;
  readonly ms: Duration;
}

export interface EndpointHealthDocument extends Document {
  readonly pending: number;
  readonly lastFailureAt: Instant | null;
  /** The hours in which there were attempts, oldest first; at most those of the window. */
  readonly hours: readonly AttemptsOfHour[];
}

type Health = EndpointHealthDocument | undefined;
interface Attempted {
  readonly data: AttemptResult;
  readonly metadata: { readonly at: Instant };
}

const documents = ({ data }: { data: OfEndpoint }) => data.endpointId;

const NO_ATTEMPTS = { delivered: 0, failed: 0, timed: 0, ms: 0 };
const unknown = (id: string): EndpointHealthDocument => ({ id, pending: 0, lastFailureAt: null, hours: [] });

const pendingChanged = (change: 1 | -1) => ({
  documents,
  fold: (health: Health, _: unknown, id: string) => {
    const before = health ?? unknown(id);
    return { ...before, pending: before.pending + change };
  },
});

const attempted = (outcome: 'delivered' | 'failed', ended: 0 | 1) => ({
  documents,
  fold: (health: Health, { data, metadata: { at } }: Attempted, id: string): EndpointHealthDocument => {
    const { pending, lastFailureAt, hours } = health ?? unknown(id);
    return {
      id,
      pending: pending - ended,
      lastFailureAt: outcome === 'failed' ? at : lastFailureAt,
      hours: withAttempt(hours, outcome, at, data.ms),
    };
  },
});

const withAttempt = (
  hours: readonly AttemptsOfHour[],
  outcome: 'delivered' | 'failed',
  at: Instant,
  ms: Duration | undefined,
): AttemptsOfHour[] => {
  // A clock that was set back counts in the latest hour, so that the order stays.
  const hour = Math.max(at - (at % HOUR), hours.at(-1)?.hour ?? 0);
  const isSame = hours.at(-1)?.hour === hour;
  const before = (isSame ? hours.at(-1) : undefined) ?? { hour, ...NO_ATTEMPTS };
  const counted = { ...before, [outcome]: before[outcome] + 1 };
  const timed = ms === undefined ? counted : { ...counted, timed: before.timed + 1, ms: before.ms + ms };
  const others = isSame ? hours.slice(0, -1) : hours;
  return [...others.filter((other) => other.hour > hour - WINDOW), timed];
};

export const endpointHealthProjection = projection<EndpointHealthDocument, WebhookDeliveryEvent>({
  name: 'webhook_endpoint_health',
  version: 1,
  runner: DASHBOARD_READ_MODELS,
  indexes: [],
  on: {
    'webhookDelivery.scheduled.v1': pendingChanged(1),
    'webhookDelivery.attemptFailed.v1': attempted('failed', 0),
    'webhookDelivery.delivered.v1': attempted('delivered', 1),
    'webhookDelivery.exhausted.v1': attempted('failed', 1),
    'webhookDelivery.revoked.v1': pendingChanged(-1),
    'webhookDelivery.replayRequested.v1': pendingChanged(1),
  },
});

export interface EndpointHealth {
  readonly pending: number;
  /** The part of the attempts that were answered with 2xx; null without attempts. */
  readonly successRate: number | null;
  /** The mean duration of an attempt; null without one. */
  readonly latency: Duration | null;
  readonly lastFailureAt: Instant | null;
}

export class EndpointHealths {
  constructor(private readonly documents: ReadModel<EndpointHealthDocument>) {}

  async of(ids: readonly WebhookEndpointId[], now: Instant): Promise<ReadonlyMap<string, EndpointHealth>> {
    const found = await this.documents.getMany(ids);
    return new Map(found.map((document) => [document.id, healthOf(document, now)]));
  }
}

const healthOf = ({ pending, lastFailureAt, hours }: EndpointHealthDocument, now: Instant): EndpointHealth => {
  const recent = hours.filter(({ hour }) => hour > now - WINDOW);
  const sum = (figure: Exclude<keyof AttemptsOfHour, 'hour'>) =>
    recent.reduce((total, hour) => total + hour[figure], 0);
  const attempts = sum('delivered') + sum('failed');
  const timed = sum('timed');
  return {
    pending,
    successRate: attempts === 0 ? null : sum('delivered') / attempts,
    latency: timed === 0 ? null : Math.round(sum('ms') / timed),
    lastFailureAt,
  };
};
