import { queryOptions } from '@tanstack/react-query';
import type { DeliveriesAnswer, DeliveryAnswer } from '../../answers/deliveries.js';
import type { PageOf } from '../../answers/parts.js';
import type { ListedEndpointAnswer } from '../../answers/webhooks.js';
import { post } from '../api/client.js';
import { PAGE_SIZE, serverQuery } from '../api/server-query.js';
import type { Filters } from '../components/filters.js';

type DeliveryFilters = Filters<'endpoint' | 'type' | 'status' | 'answer' | 'creator' | 'event' | 'from' | 'to'>;
export type DeliverySearch = DeliveryFilters & Filters<'tab' | 'after'>;

export const deliveriesQuery = (search: DeliverySearch) =>
  serverQuery<DeliveriesAnswer>('deliveries', '/api/deliveries', { ...search, limit: PAGE_SIZE });

export const deliveryQuery = (id: string) =>
  serverQuery<DeliveryAnswer>('deliveries', `/api/deliveries/${encodeURIComponent(id)}`);

export const endpointChoiceQuery = queryOptions({
  ...serverQuery<PageOf<ListedEndpointAnswer>>('endpoints', '/api/endpoints', { limit: '100' }),
  refetchInterval: false,
});

export const replayDelivery = (id: string) => post(`/api/deliveries/${id}/replay`);
