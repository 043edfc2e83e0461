import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { GetBinding } from '#agencies';
import { type AgencyId, Clock, type Instant } from '#kernel';
import { DeadLetterList, requireComplete } from '#projections';
import { disablesAt } from '../domain/webhook-endpoint.js';
import { type EndpointHealth, EndpointHealths } from './endpoint-health.js';
import { type EndpointDocument, EndpointList, endpointListProjection } from './endpoint-list.js';
import { type DisabledSpan, MissedEvents } from './missed-events.js';

/** D100: nothing is sent to an endpoint of an earlier binding; its document remains active until somebody disables it. */
export interface ListedEndpoint extends Omit<EndpointDocument, 'status'> {
  readonly status: EndpointDocument['status'] | 'earlier_binding';
}

/** The endpoints of a bound agency, oldest first. */
export class ListEndpoints extends Query<readonly ListedEndpoint[]> {
  constructor(readonly agencyId: AgencyId) {
    super();
  }
}

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

const NOTHING_KNOWN: EndpointHealth = { pending: 0, successRate: null, latency: null, lastFailureAt: null };

@QueryHandler(ShowEndpoints)
export class ShowEndpointsHandler implements IQueryHandler<ShowEndpoints> {
  constructor(
    private readonly healths: EndpointHealths,
    private readonly clock: Clock,
  ) {}

  async execute({ endpoints }: ShowEndpoints): Promise<readonly ShownEndpoint[]> {
    const now = this.clock.now();
    const ids = endpoints.map(({ id }) => id);
    const healths = await this.healths.of(ids, now);
    return endpoints.map((endpoint) => ({
      ...endpoint,
      health: healths.get(endpoint.id) ?? NOTHING_KNOWN,
      disablesAt: endpoint.status === 'active' ? disablesAt(endpoint.failingSince, now) : null,
    }));
  }
}

/** The times in which the agency's endpoints were disabled and events were published that they did not get. */
export class ListDisabledSpans extends Query<readonly DisabledSpan[]> {
  constructor(readonly agencyId: AgencyId) {
    super();
  }
}

@QueryHandler(ListDisabledSpans)
export class ListDisabledSpansHandler implements IQueryHandler<ListDisabledSpans> {
  constructor(
    private readonly missed: MissedEvents,
    private readonly queries: QueryBus,
  ) {}

  async execute({ agencyId }: ListDisabledSpans): Promise<readonly DisabledSpan[]> {
    const { workspaceId } = await this.queries.execute(new GetBinding(agencyId));
    return this.missed.of(workspaceId);
  }
}
