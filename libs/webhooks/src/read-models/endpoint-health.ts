import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Clock, DAY, type Document, type Duration, HOUR, type Instant, projection } from '#kernel';
import { DASHBOARD_READ_MODELS, type ReadModel } from '#projections';
import type { AttemptResult, WebhookDeliveryEvent } from '../domain/webhook-delivery.js';
import type { OfEndpoint } from '../domain/webhook-endpoint.events.js';
import { disablesAt } from '../domain/webhook-endpoint.js';
import type { ListedEndpoint } from './endpoint-list.js';

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
  fold: (health: Health, { data: { ms }, metadata: { at } }: Attempted, id: string): EndpointHealthDocument => {
    const { pending, lastFailureAt, hours } = health ?? unknown(id);
    // A clock that was set back counts in the latest hour, so that the order stays.
    const hour = Math.max(at - (at % HOUR), hours.at(-1)?.hour ?? 0);
    const before = hours.find((one) => one.hour === hour) ?? { hour, ...NO_ATTEMPTS };
    const counted = { ...before, [outcome]: before[outcome] + 1 };
    const timed = ms === undefined ? counted : { ...counted, timed: before.timed + 1, ms: before.ms + ms };
    return {
      id,
      pending: pending - ended,
      lastFailureAt: outcome === 'failed' ? at : lastFailureAt,
      hours: [...hours.filter((one) => one.hour > hour - WINDOW && one.hour < hour), timed],
    };
  },
});

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

export interface EndpointHealth extends Pick<EndpointHealthDocument, 'pending' | 'lastFailureAt'> {
  /** The part of the attempts that were answered with 2xx; null without attempts. */
  readonly successRate: number | null;
  /** The mean duration of an attempt; null without one. */
  readonly latency: Duration | null;
  /** The days in UTC with attempts, the oldest first. */
  readonly days: readonly HealthOfDay[];
}

export interface HealthOfDay extends Pick<AttemptsOfHour, 'delivered' | 'failed'> {
  readonly day: Instant;
  readonly latency: Duration | null;
}

const sumOf = (hours: readonly AttemptsOfHour[]): Omit<HealthOfDay, 'day'> => {
  const sum = (figure: Exclude<keyof AttemptsOfHour, 'hour'>) => hours.reduce((total, hour) => total + hour[figure], 0);
  const timed = sum('timed');
  return {
    delivered: sum('delivered'),
    failed: sum('failed'),
    latency: timed === 0 ? null : Math.round(sum('ms') / timed),
  };
};

const healthOf = ({ pending, lastFailureAt, hours }: EndpointHealthDocument, now: Instant): EndpointHealth => {
  const recent = hours.filter(({ hour }) => hour > now - WINDOW);
  const { delivered, failed, latency } = sumOf(recent);
  const byDay = Map.groupBy(recent, ({ hour }) => hour - (hour % DAY));
  return {
    pending,
    successRate: delivered + failed === 0 ? null : delivered / (delivered + failed),
    latency,
    lastFailureAt,
    days: [...byDay].map(([day, hours]) => ({ day, ...sumOf(hours) })),
  };
};

export interface ShownEndpoint extends ListedEndpoint {
  readonly health: EndpointHealth;
  /** When it will be disabled if no delivery succeeds before; null unless half of that time is over (D82). */
  readonly disablesAt: Instant | null;
}

export class ShowEndpoints extends Query<readonly ShownEndpoint[]> {
  constructor(readonly endpoints: readonly ListedEndpoint[]) {
    super();
  }
}

@QueryHandler(ShowEndpoints)
export class ShowEndpointsHandler implements IQueryHandler<ShowEndpoints> {
  constructor(
    private readonly documents: ReadModel<EndpointHealthDocument>,
    private readonly clock: Clock,
  ) {}

  async execute({ endpoints }: ShowEndpoints): Promise<readonly ShownEndpoint[]> {
    const now = this.clock.now();
    const documents = await this.documents.getMany(endpoints.map(({ id }) => id));
    const found = new Map(documents.map((document) => [document.id, document]));
    return endpoints.map((endpoint) => ({
      ...endpoint,
      health: healthOf(found.get(endpoint.id) ?? unknown(endpoint.id), now),
      disablesAt: endpoint.status === 'active' ? disablesAt(endpoint.failingSince, now) : null,
    }));
  }
}
