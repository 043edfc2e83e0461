import { type IQueryHandler, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { GetBinding } from '#agencies';
import type { EventPublished } from '#event-feed';
import { type Document, type Instant, projection, streamId, type WorkspaceId } from '#kernel';
import { DASHBOARD_READ_MODELS, type ReadModel } from '#projections';
import type { ChosenTypes, OfEndpoint, WebhookEndpointEvent } from '../domain/webhook-endpoint.events.js';
import { AgencyQuery } from './endpoint-list.js';

/** A time in which an endpoint was disabled, and the number of events of its types then, which are never delivered. */
export interface DisabledSpan extends OfEndpoint {
  readonly from: Instant;
  /** Null while it lasts. */
  readonly to: Instant | null;
  readonly count: number;
}

interface EndpointOfWorkspace extends OfEndpoint {
  readonly types: ChosenTypes;
  /** Null while it is active. */
  readonly disabledAt: Instant | null;
  readonly missed: number;
}

export interface MissedEventsDocument extends Document {
  readonly endpoints: readonly EndpointOfWorkspace[];
  /** Those that have ended, the latest last. */
  readonly ended: readonly DisabledSpan[];
}

const MAX_ENDED = 100;

type Missed = MissedEventsDocument | undefined;
interface InWorkspace {
  readonly data: OfEndpoint;
  readonly metadata: { readonly workspaceId: WorkspaceId | null; readonly at: Instant };
}

const documents = ({ metadata }: InWorkspace) => metadata.workspaceId ?? [];

/** The workspace after a change of the endpoint; it has always been registered before. */
const changed =
  <Event extends InWorkspace>(change: (endpoint: EndpointOfWorkspace, event: Event) => EndpointOfWorkspace) =>
  (missed: Missed, event: Event): Missed =>
    missed && {
      ...missed,
      endpoints: missed.endpoints.map((one) => (one.endpointId === event.data.endpointId ? change(one, event) : one)),
    };

const enable = changed((endpoint) => ({ ...endpoint, disabledAt: null, missed: 0 }));

export const missedEventsProjection = projection<MissedEventsDocument, WebhookEndpointEvent | EventPublished>({
  name: 'webhook_missed_events',
  version: 1,
  runner: DASHBOARD_READ_MODELS,
  indexes: [],
  on: {
    'webhookEndpoint.registered.v2': {
      documents: ({ data }) => data.workspaceId,
      fold: (missed, { data: { endpointId, types = null } }, id) => ({
        id,
        endpoints: [...(missed?.endpoints ?? []), { endpointId, types, disabledAt: null, missed: 0 }],
        ended: missed?.ended ?? [],
      }),
    },
    'webhookEndpoint.typesChosen.v1': {
      documents,
      fold: changed((endpoint, { data }) => ({ ...endpoint, types: data.types })),
    },
    'webhookEndpoint.disabled.v1': {
      documents,
      fold: changed((endpoint, { metadata }) => ({ ...endpoint, disabledAt: metadata.at, missed: 0 })),
    },
    'webhookEndpoint.enabled.v1': {
      documents,
      fold: (missed, event) => {
        const ended = missed && spansOf(missed).filter(({ endpointId }) => endpointId === event.data.endpointId);
        const active = enable(missed, event);
        const spans = (ended ?? []).map((span) => ({ ...span, to: event.metadata.at }));
        return active && { ...active, ended: [...active.ended, ...spans].slice(-MAX_ENDED) };
      },
    },
    'eventFeed.eventPublished.v1': {
      // The feed's stream is named by its workspace.
      documents: ({ stream }) => streamId(stream),
      fold: (missed, { data: { eventType } }) => {
        const isMissed = ({ disabledAt, types }: EndpointOfWorkspace) =>
          disabledAt !== null && (types === null || types.includes(eventType));
        if (missed === undefined || !missed.endpoints.some(isMissed)) return missed;
        const count = (one: EndpointOfWorkspace) => (isMissed(one) ? { ...one, missed: one.missed + 1 } : one);
        return { ...missed, endpoints: missed.endpoints.map(count) };
      },
    },
  },
});

const spansOf = ({ endpoints }: MissedEventsDocument): DisabledSpan[] =>
  endpoints.flatMap(({ endpointId, disabledAt, missed }) =>
    disabledAt === null ? [] : [{ endpointId, from: disabledAt, to: null, count: missed }],
  );

/** The times in which endpoints were disabled and events were published, those that last first, then the latest. */
export class ListDisabledSpans extends AgencyQuery<readonly DisabledSpan[]> {}

@QueryHandler(ListDisabledSpans)
export class ListDisabledSpansHandler implements IQueryHandler<ListDisabledSpans> {
  constructor(
    private readonly documents: ReadModel<MissedEventsDocument>,
    private readonly queries: QueryBus,
  ) {}

  async execute({ agencyId }: ListDisabledSpans): Promise<readonly DisabledSpan[]> {
    const { workspaceId } = await this.queries.execute(new GetBinding(agencyId));
    const missed = await this.documents.get(workspaceId);
    if (missed === undefined) return [];
    return [...spansOf(missed), ...missed.ended.toReversed()].filter(({ count }) => count > 0);
  }
}
