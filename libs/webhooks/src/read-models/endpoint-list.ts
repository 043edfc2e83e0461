import type { PublicEventType } from '#event-feed';
import {
  type AgencyId,
  type Document,
  type Instant,
  type Position,
  projection,
  type WebhookEndpointId,
  type WorkspaceId,
} from '#kernel';
import type { ReadModel } from '#projections';
import type { WebhookDeliveryEvent } from '../domain/webhook-delivery.events.js';
import type { ChosenTypes, DisableReason, WebhookEndpointEvent } from '../domain/webhook-endpoint.events.js';

/** Between two positions of the log, both excluded, it is active and takes these event types (D104). */
interface ActiveSpan {
  readonly from: Position;
  /** Null while it lasts. */
  readonly until: Position | null;
  readonly types: ChosenTypes;
}

/** An endpoint as operators see it, without its secret. */
export interface EndpointDocument extends Document {
  readonly id: WebhookEndpointId;
  readonly agencyId: AgencyId;
  readonly workspaceId: WorkspaceId;
  readonly url: string;
  /** The binding under which it was registered, counted from 1. */
  readonly epoch: number;
  readonly status: 'active' | 'disabled';
  readonly disabledBecause: DisableReason | null;
  readonly createdAt: Instant;
  /** It receives events that were caused later (D84). */
  readonly registeredAt: Position;
  /** The latest ones, from which the scheduling of deliveries knows what it was at the position of an event. */
  readonly spans: readonly ActiveSpan[];
  /** The event types that it takes; null for all (D104). */
  readonly types: ChosenTypes;
  /** The first failure after the last success, or after it was last enabled. */
  readonly failingSince: Instant | null;
}

/** Each write of an endpoint writes all of them. Only an event that is handled after that many changes could miss one. */
const MAX_SPANS = 20;

const ended = (spans: EndpointDocument['spans'], until: Position): ActiveSpan[] =>
  spans.map((span) => (span.until === null ? { ...span, until } : span));

const begun = (spans: EndpointDocument['spans'], from: Position, types: ChosenTypes): ActiveSpan[] =>
  [...spans, { from, until: null, types }].slice(-MAX_SPANS);

/** Whether it was active at this position, and took events of the type. */
export const received = ({ spans }: EndpointDocument, position: Position, type: PublicEventType): boolean =>
  spans.some(
    ({ from, until, types }) =>
      from < position && position < (until ?? Number.POSITIVE_INFINITY) && (types === null || types.includes(type)),
  );

const failed = {
  documents: ({ data }: { data: { endpointId: WebhookEndpointId } }) => data.endpointId,
  fold: (endpoint: EndpointDocument | undefined, { metadata }: { metadata: { at: Instant } }) =>
    endpoint && { ...endpoint, failingSince: endpoint.failingSince ?? metadata.at },
};

export const endpointListProjection = projection<EndpointDocument, WebhookEndpointEvent | WebhookDeliveryEvent>({
  name: 'webhook_endpoints',
  version: 5,
  indexes: [
    { name: 'agency', fields: ['agencyId', 'createdAt'] },
    { name: 'workspace', fields: ['workspaceId'] },
  ],
  on: {
    'webhookEndpoint.registered.v2': {
      documents: ({ data }) => data.endpointId,
      fold: (_, { data, metadata, position }) => {
        const { endpointId: id, agencyId, workspaceId, url, epoch, types = null } = data;
        const registered = { createdAt: metadata.at, registeredAt: position, spans: begun([], position, types) };
        const working = { status: 'active', disabledBecause: null, failingSince: null } as const;
        return { id, agencyId, workspaceId, url, epoch, types, ...registered, ...working };
      },
    },
    'webhookEndpoint.typesChosen.v1': {
      documents: ({ data }) => data.endpointId,
      fold: (endpoint, { data: { types }, position }) => {
        if (endpoint?.status !== 'active') return endpoint && { ...endpoint, types };
        return { ...endpoint, types, spans: begun(ended(endpoint.spans, position), position, types) };
      },
    },
    'webhookEndpoint.disabled.v1': {
      documents: ({ data }) => data.endpointId,
      fold: (endpoint, { data, position }) =>
        endpoint && {
          ...endpoint,
          status: 'disabled',
          disabledBecause: data.reason,
          spans: ended(endpoint.spans, position),
        },
    },
    'webhookEndpoint.enabled.v1': {
      documents: ({ data }) => data.endpointId,
      fold: (endpoint, { position }) => {
        if (endpoint?.status !== 'disabled') return endpoint;
        const spans = begun(endpoint.spans, position, endpoint.types);
        return { ...endpoint, status: 'active', disabledBecause: null, failingSince: null, spans };
      },
    },
    'webhookDelivery.attemptFailed.v1': failed,
    'webhookDelivery.exhausted.v1': failed,
    'webhookDelivery.delivered.v1': {
      documents: ({ data }) => data.endpointId,
      fold: (endpoint) => endpoint && { ...endpoint, failingSince: null },
    },
  },
});

export class EndpointList {
  constructor(private readonly documents: ReadModel<EndpointDocument>) {}

  /** When the endpoint's failures since its last success began, or null. */
  async failingSince(endpointId: WebhookEndpointId): Promise<Instant | null> {
    return (await this.documents.get(endpointId))?.failingSince ?? null;
  }

  /** The agency's endpoints, oldest first. */
  ofAgency(agencyId: AgencyId): Promise<EndpointDocument[]> {
    return this.documents.find({ index: 'agency', equals: [agencyId], limit: 10_000 });
  }

  ofWorkspace(workspaceId: WorkspaceId): Promise<EndpointDocument[]> {
    return this.documents.find({ index: 'workspace', equals: [workspaceId], limit: 10_000 });
  }
}
