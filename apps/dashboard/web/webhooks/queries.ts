import type { DeliveriesAnswer } from '../../answers/deliveries.js';
import type { PageOf } from '../../answers/parts.js';
import type {
  EndpointAnswer,
  ListedEndpointAnswer,
  RegisteredEndpointAnswer,
  RotatedSecretAnswer,
  SignatureCheckAnswer,
  TestAnswer,
} from '../../answers/webhooks.js';
import { call, post } from '../api/client.js';
import { serverQuery } from '../api/server-query.js';
import type { Filters } from '../components/filters.js';

export const endpointsQuery = (search: Filters<'after'>) =>
  serverQuery<PageOf<ListedEndpointAnswer>>('endpoints', '/api/endpoints', search);

export const endpointQuery = (id: string) =>
  serverQuery<EndpointAnswer>('endpoints', `/api/endpoints/${encodeURIComponent(id)}`);

export const recentDeliveriesQuery = (endpoint: string) =>
  serverQuery<DeliveriesAnswer>('deliveries', '/api/deliveries', { endpoint, limit: '10' });

export const OVERLAP_NAMES = { '0': 'Not at all', '24h': '24 hours', '7d': '7 days' } as const;

export type Overlap = keyof typeof OVERLAP_NAMES;

export const addEndpoint = (body: Pick<ListedEndpointAnswer, 'url' | 'types'>) =>
  post<RegisteredEndpointAnswer>('/api/endpoints', body);

export const sendTest = (id: string) => post<TestAnswer>(`/api/endpoints/${id}/test`);

export const rotateSecret = (id: string, overlap: Overlap) =>
  post<RotatedSecretAnswer>(`/api/endpoints/${id}/rotate`, { overlap });

export const disableEndpoint = (id: string) => post(`/api/endpoints/${id}/disable`);

export const enableEndpoint = (id: string) => post(`/api/endpoints/${id}/enable`);

export const setTypes = (id: string, types: ListedEndpointAnswer['types']) =>
  call(`/api/endpoints/${id}/types`, { method: 'PUT', body: { types } });

interface SignatureCheck {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly sha256: string;
}

export const checkSignature = (body: SignatureCheck) => post<SignatureCheckAnswer>('/api/signature-check', body);
