import { queryOptions } from '@tanstack/react-query';
import type { DeliveriesAnswer, DeliveryAnswer } from '../../src/deliveries/answers.js';
import type { EndpointsAnswer } from '../../src/webhooks/answers.js';
import { call } from '../api/client.js';
import { PAGE_SIZE, serverQuery } from '../api/server-query.js';
import type { Filters } from './filters.js';

export interface DeliverySearch extends Filters {
  readonly tab?: string | undefined;
  readonly after?: string | undefined;
}

export const deliveriesQuery = (search: DeliverySearch) =>
  serverQuery<DeliveriesAnswer>('deliveries', '/api/deliveries', { ...search, limit: PAGE_SIZE });

export const deliveryQuery = (id: string) =>
  serverQuery<DeliveryAnswer>('deliveries', `/api/deliveries/${encodeURIComponent(id)}`);

/** For the choice of an endpoint. */
export const endpointChoiceQuery = queryOptions({
  ...serverQuery<EndpointsAnswer>('endpoints', '/api/endpoints', { limit: '100' }),
  refetchInterval: false,
});

export const replayDelivery = (id: string): Promise<unknown> =>
  call(`/api/deliveries/${id}/replay`, { method: 'POST' });

export const STATUS_NAMES = { pending: 'Pending', delivered: 'Delivered', failed: 'Failed' } as const;
