import { type AgencyId, type Document, type Instant, projection, type WebhookEndpointId } from '#kernel';
import type { ReadModel } from '#projections';
import type { WebhookDeliveryEvent } from '../domain/webhook-delivery.events.js';
import type { ChosenTypes, DisableReason, WebhookEndpointEvent } from '../domain/webhook-endpoint.events.js';

/** An endpoint as operators see it, without its secret. */
export interface EndpointDocument extends Document {
  readonly id: WebhookEndpointId;
  readonly agencyId: AgencyId;
  readonly url: string;
  /** The binding under which it was registered, counted from 1. */
  readonly epoch: number;
  readonly status: 'active' | 'disabled';
  readonly disabledBecause: DisableReason | null;
  readonly createdAt: Instant;
  /** The event types that it takes; null for all (D104). */
  readonly types: ChosenTypes;
  /** The first failure after the last success, or after it was last enabled. */
  readonly failingSince: Instant | null;
}

const failed = {
  documents: ({ data }: { data: { endpointId: WebhookEndpointId } }) => data.endpointId,
  fold: (endpoint: EndpointDocument | undefined, { metadata }: { metadata: { at: Instant } }) =>
    endpoint && { ...endpoint, failingSince: endpoint.failingSince ?? metadata.at },
};

export const endpointListProjection = projection<EndpointDocument, WebhookEndpointEvent | WebhookDeliveryEvent>({
  name: 'webhook_endpoints',
  version: 4,
  indexes: [{ name: 'agency', fields: ['agencyId', 'createdAt'] }],
  on: {
    'webhookEndpoint.registered.v2': {
      documents: ({ data }) => data.endpointId,
      fold: (_, { data, metadata }) => {
        const { endpointId: id, agencyId, url, epoch, types = null } = data;
        const createdAt = metadata.at;
        const working = { status: 'active', disabledBecause: null, failingSince: null } as const;
        return { id, agencyId, url, epoch, types, createdAt, ...working };
      },
    },
    'webhookEndpoint.typesChosen.v1': {
      documents: ({ data }) => data.endpointId,
      fold: (endpoint, { data }) => endpoint && { ...endpoint, types: data.types },
    },
    'webhookEndpoint.disabled.v1': {
      documents: ({ data }) => data.endpointId,
      fold: (endpoint, { data }) => endpoint && { ...endpoint, status: 'disabled', disabledBecause: data.reason },
    },
    'webhookEndpoint.enabled.v1': {
      documents: ({ data }) => data.endpointId,
      fold: (endpoint) => endpoint && { ...endpoint, status: 'active', disabledBecause: null, failingSince: null },
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
}
