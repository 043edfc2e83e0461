import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { AgencyId, CreatorId, WebhookEndpointId } from '#kernel';
import { GetEndpoint } from '#webhooks';
import type { DashboardSession } from '../access/dashboard-session.js';
import { FoundCreators } from '../creators/found-creators.js';
import { unlessUnbound } from '../lists.js';

interface Delivery {
  readonly creatorId: CreatorId;
  readonly endpointId: WebhookEndpointId;
}

export interface NamesOfDeliveries {
  readonly creators: ReadonlyMap<CreatorId, string>;
  readonly endpoints: ReadonlyMap<WebhookEndpointId, string | null>;
}

/** Finds the names of the creators that deliveries are about, and the URLs of their endpoints. */
@Injectable()
export class DeliveryNames {
  constructor(
    private readonly queries: QueryBus,
    private readonly found: FoundCreators,
  ) {}

  async of(
    { agencyId, workspaceId }: Pick<DashboardSession, 'agencyId' | 'workspaceId'>,
    shown: readonly (Pick<Delivery, 'creatorId'> & Partial<Delivery>)[],
  ): Promise<NamesOfDeliveries> {
    const creatorIds = shown.map(({ creatorId }) => creatorId);
    const endpointIds = new Set(shown.flatMap(({ endpointId }) => endpointId ?? []));
    // From their streams: a read model that lacks an endpoint would refuse the page (D67).
    const urls = [...endpointIds].map(async (id) => [id, await this.urlOf(id, agencyId)] as const);
    return { creators: await this.found.names(workspaceId, creatorIds), endpoints: new Map(await Promise.all(urls)) };
  }

  private async urlOf(endpointId: WebhookEndpointId, agencyId: AgencyId): Promise<string | null> {
    const endpoint = this.queries.execute(new GetEndpoint(endpointId, agencyId));
    return (await unlessUnbound(endpoint, null))?.url ?? null;
  }
}

export const namesOf = ({ creatorId, endpointId }: Delivery, { creators, endpoints }: NamesOfDeliveries) => ({
  creator_name: creators.get(creatorId) ?? null,
  endpoint_url: endpoints.get(endpointId) ?? null,
});
