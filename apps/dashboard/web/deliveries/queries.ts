import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.js';
import type { DeliveriesAnswer, DeliveryAnswer, EndpointsAnswer, ReplayedDeliveryAnswer } from '../api/types.gen.js';
import type { Filters } from './filters.js';

const PAGE_SIZE = '50';

export interface DeliverySearch extends Filters {
  readonly tab?: string | undefined;
  readonly after?: string | undefined;
}

export const deliveriesQuery = (search: DeliverySearch) =>
  queryOptions({
    queryKey: ['deliveries', search],
    queryFn: ({ signal }) =>
      call<DeliveriesAnswer>('/api/deliveries', { query: { ...search, limit: PAGE_SIZE }, signal }),
  });

export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: ['deliveries', 'one', id],
    queryFn: ({ signal }) => call<DeliveryAnswer>(`/api/deliveries/${encodeURIComponent(id)}`, { signal }),
  });

/** For the choice of an endpoint. */
export const endpointChoiceQuery = queryOptions({
  queryKey: ['endpoints', 'choice'],
  queryFn: ({ signal }) => call<EndpointsAnswer>('/api/endpoints', { query: { limit: '100' }, signal }),
  refetchInterval: false,
});

export const replayDelivery = (id: string): Promise<ReplayedDeliveryAnswer> =>
  call(`/api/deliveries/${id}/replay`, { method: 'POST' });

export const STATUS_NAMES = { pending: 'Pending', delivered: 'Delivered', failed: 'Failed' } as const;
