import { call } from '../api/client.js';
import { serverQuery } from '../api/server-query.js';
import type {
  ChooseTypesBody,
  EndpointStatusAnswer,
  EndpointsAnswer,
  EndpointTypesAnswer,
  RegisterEndpointBody,
  RegisteredEndpointAnswer,
  RotatedSecretAnswer,
  RotateSecretBody,
  SignatureCheckAnswer,
  SignatureCheckBody,
  TestAnswer,
} from '../api/types.gen.js';
import type { Filters } from '../components/filter-grid.js';

export const endpointsQuery = (search: Filters<'after' | 'endpoint'>) =>
  serverQuery<EndpointsAnswer>('endpoints', '/api/endpoints', search);

export const OVERLAP_NAMES = { '0': 'Not at all', '24h': '24 hours', '7d': '7 days' } as const;

interface OfEndpoint {
  readonly id: string;
}

export const addEndpoint = (body: RegisterEndpointBody): Promise<RegisteredEndpointAnswer> =>
  call('/api/endpoints', { method: 'POST', body });

export const sendTest = (id: string): Promise<TestAnswer> => call(`/api/endpoints/${id}/test`, { method: 'POST' });

export const rotateSecret = ({ id, overlap }: RotateSecretBody & OfEndpoint): Promise<RotatedSecretAnswer> =>
  call(`/api/endpoints/${id}/rotate`, { method: 'POST', body: { overlap } });

export const disableEndpoint = (id: string): Promise<EndpointStatusAnswer> =>
  call(`/api/endpoints/${id}/disable`, { method: 'POST' });

export const enableEndpoint = (id: string): Promise<EndpointStatusAnswer> =>
  call(`/api/endpoints/${id}/enable`, { method: 'POST' });

export const setTypes = ({ id, types }: ChooseTypesBody & OfEndpoint): Promise<EndpointTypesAnswer> =>
  call(`/api/endpoints/${id}/types`, { method: 'PUT', body: { types } });

export const checkSignature = (body: SignatureCheckBody): Promise<SignatureCheckAnswer> =>
  call('/api/signature-check', { method: 'POST', body });
