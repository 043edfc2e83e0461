import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { GetBinding } from '#agencies';
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
import { DeadLetterList, type ReadModel, requireComplete } from '#projections';
import type { WebhookDeliveryEvent } from '../domain/webhook-delivery.js';
import type { ChosenTypes, DisableReason, WebhookEndpointEvent } from '../domain/webhook-endpoint.events.js';
import type { EndpointRegistration } from '../domain/webhook-endpoint.js';

/** Between two positions of the log, both excluded, it is active and takes these event types (D104). */
interface ActiveSpan {
  readonly from: Position;
  /** Null while it lasts. */
  readonly until: Position | null;
  readonly types: ChosenTypes;
}

export interface EndpointDocument
  extends Document,
    Pick<EndpointRegistration, 'agencyId' | 'workspaceId' | 'url' | 'epoch'> {
  readonly id: WebhookEndpointId;
  readonly status: 'active' | 'disabled';
  readonly disabledBecause: DisableReason | null;
  readonly createdAt: Instant;
  /** It receives events that were caused later (D84). */
  readonly registeredAt: Position;
  /** The latest ones, from which the scheduling of deliveries knows what it was at the position of an event. */
  readonly spans: readonly ActiveSpan[];
  readonly types: ChosenTypes;
  /** The first failure after the last success, or after it was last enabled. */
  readonly failingSince: Instant | null;
  /** Where the log has that failure. */
  readonly failingFrom: Position | null;
  /** An event, or a test; it stays through later replays. */
  readonly firstDeliveredAt: Instant | null;
}

/** Each write of an endpoint writes all of them. Only an event that is handled after that many changes could miss one. */
const MAX_SPANS = 20;

const ended = (spans: EndpointDocument['spans'], until: Position): ActiveSpan[] =>
  spans.map((span) => (span.until === null ? { ...span, until } : span));

const begun = (spans: EndpointDocument['spans'], from: Position, types: ChosenTypes): ActiveSpan[] =>
  [...spans, { from, until: null, types }].slice(-MAX_SPANS);

export const received = ({ spans }: EndpointDocument, position: Position, type: PublicEventType): boolean =>
  spans.some(
    ({ from, until, types }) =>
      from < position && position < (until ?? Number.POSITIVE_INFINITY) && (types === null || types.includes(type)),
  );

interface OfEndpoint {
  readonly data: { readonly endpointId: WebhookEndpointId };
  readonly position: Position;
  readonly metadata: { readonly at: Instant };
}

const changed = <Event extends OfEndpoint>(change: (endpoint: EndpointDocument, event: Event) => EndpointDocument) => ({
  documents: ({ data }: OfEndpoint) => data.endpointId,
  fold: (endpoint: EndpointDocument | undefined, event: Event) => endpoint && change(endpoint, event),
});

const NOT_FAILING = { failingSince: null, failingFrom: null };

const firstDelivered = (endpoint: EndpointDocument, { metadata }: OfEndpoint) => ({
  ...endpoint,
  firstDeliveredAt: endpoint.firstDeliveredAt ?? metadata.at,
});

const failed = changed((endpoint, { metadata, position }) =>
  endpoint.failingSince === null ? { ...endpoint, failingSince: metadata.at, failingFrom: position } : endpoint,
);

export const endpointListProjection = projection<EndpointDocument, WebhookEndpointEvent | WebhookDeliveryEvent>({
  name: 'webhook_endpoints',
  version: 8,
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
        const working = { status: 'active', disabledBecause: null, firstDeliveredAt: null, ...NOT_FAILING } as const;
        return { id, agencyId, workspaceId, url, epoch, types, ...registered, ...working };
      },
    },
    'webhookEndpoint.typesChosen.v1': changed((endpoint, { data: { types }, position }) => {
      if (endpoint.status !== 'active') return { ...endpoint, types };
      return { ...endpoint, types, spans: begun(ended(endpoint.spans, position), position, types) };
    }),
    'webhookEndpoint.disabled.v1': changed((endpoint, { data, position }) => ({
      ...endpoint,
      status: 'disabled',
      disabledBecause: data.reason,
      spans: ended(endpoint.spans, position),
    })),
    'webhookEndpoint.enabled.v1': changed((endpoint, { position }) => {
      const spans = begun(endpoint.spans, position, endpoint.types);
      return { ...endpoint, status: 'active', disabledBecause: null, ...NOT_FAILING, spans };
    }),
    'webhookDelivery.attemptFailed.v1': failed,
    'webhookDelivery.exhausted.v1': failed,
    'webhookDelivery.delivered.v1': changed((endpoint, event) => ({
      ...firstDelivered(endpoint, event),
      ...NOT_FAILING,
    })),
    'webhookEndpoint.tested.v1': changed((endpoint, event) =>
      event.data.error === null ? firstDelivered(endpoint, event) : endpoint,
    ),
  },
});

export class EndpointList {
  constructor(private readonly documents: ReadModel<EndpointDocument>) {}

  get(endpointId: WebhookEndpointId): Promise<EndpointDocument | undefined> {
    return this.documents.get(endpointId);
  }

  /** The agency's endpoints, oldest first. */
  ofAgency(agencyId: AgencyId): Promise<EndpointDocument[]> {
    return this.documents.find({ index: 'agency', equals: [agencyId], limit: 10_000 });
  }

  ofWorkspace(workspaceId: WorkspaceId): Promise<EndpointDocument[]> {
    return this.documents.find({ index: 'workspace', equals: [workspaceId], limit: 10_000 });
  }
}

/** D100: nothing is sent to an endpoint of an earlier binding; its document remains active until somebody disables it. */
export interface ListedEndpoint extends Omit<EndpointDocument, 'status'> {
  readonly status: EndpointDocument['status'] | 'earlier_binding';
}

export abstract class AgencyQuery<Result> extends Query<Result> {
  constructor(readonly agencyId: AgencyId) {
    super();
  }
}

export class ListEndpoints extends AgencyQuery<readonly ListedEndpoint[]> {}

@QueryHandler(ListEndpoints)
export class ListEndpointsHandler implements IQueryHandler<ListEndpoints> {
  constructor(
    private readonly endpoints: EndpointList,
    private readonly queries: QueryBus,
    private readonly deadLetters: DeadLetterList,
  ) {}

  async execute({ agencyId }: ListEndpoints): Promise<readonly ListedEndpoint[]> {
    const { workspaceId, epoch } = await this.queries.execute(new GetBinding(agencyId));
    const endpoints = await this.endpoints.ofAgency(agencyId);
    await requireComplete(this.deadLetters, workspaceId, [endpointListProjection.name]);
    return endpoints.map((endpoint) => {
      const isEarlier = endpoint.status === 'active' && endpoint.epoch < epoch;
      return isEarlier ? { ...endpoint, status: 'earlier_binding' } : endpoint;
    });
  }
}
