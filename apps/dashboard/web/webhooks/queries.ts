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
import { call } from '../api/client.js';
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

interface OfEndpoint {
  readonly id: string;
}

interface SignatureCheck {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly sha256: string;
}

export const addEndpoint = (body: Pick<ListedEndpointAnswer, 'url' | 'types'>): Promise<RegisteredEndpointAnswer> =>
  call('/api/endpoints', { method: 'POST', body });

export const sendTest = (id: string): Promise<TestAnswer> => call(`/api/endpoints/${id}/test`, { method: 'POST' });

export const rotateSecret = ({
  id,
  overlap,
}: OfEndpoint & { readonly overlap: Overlap }): Promise<RotatedSecretAnswer> =>
  call(`/api/endpoints/${id}/rotate`, { method: 'POST', body: { overlap } });

export const disableEndpoint = (id: string): Promise<unknown> =>
  call(`/api/endpoints/${id}/disable`, { method: 'POST' });

export const enableEndpoint = (id: string): Promise<unknown> => call(`/api/endpoints/${id}/enable`, { method: 'POST' });

export const setTypes = ({ id, types }: Pick<ListedEndpointAnswer, 'id' | 'types'>): Promise<unknown> =>
  call(`/api/endpoints/${id}/types`, { method: 'PUT', body: { types } });

export const checkSignature = (body: SignatureCheck): Promise<SignatureCheckAnswer> =>
  call('/api/signature-check', { method: 'POST', body });
