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

export const endpointsQuery = (search: {
  readonly after?: string | undefined;
  readonly endpoint?: string | undefined;
}) => serverQuery<EndpointsAnswer>('endpoints', '/api/endpoints', search);

export const OVERLAP_NAMES = { '0': 'Not at all', '24h': '24 hours', '7d': '7 days' } as const;

export const addEndpoint = (body: RegisterEndpointBody): Promise<RegisteredEndpointAnswer> =>
  call('/api/endpoints', { method: 'POST', body });

export const sendTest = (id: string): Promise<TestAnswer> => call(`/api/endpoints/${id}/test`, { method: 'POST' });

interface Rotation extends RotateSecretBody {
  readonly id: string;
}

export const rotateSecret = ({ id, overlap }: Rotation): Promise<RotatedSecretAnswer> =>
  call(`/api/endpoints/${id}/rotate`, { method: 'POST', body: { overlap } });

export const disableEndpoint = (id: string): Promise<EndpointStatusAnswer> =>
  call(`/api/endpoints/${id}/disable`, { method: 'POST' });

export const enableEndpoint = (id: string): Promise<EndpointStatusAnswer> =>
  call(`/api/endpoints/${id}/enable`, { method: 'POST' });

interface TypesOfEndpoint extends ChooseTypesBody {
  readonly id: string;
}

export const setTypes = ({ id, types }: TypesOfEndpoint): Promise<EndpointTypesAnswer> =>
  call(`/api/endpoints/${id}/types`, { method: 'PUT', body: { types } });

export const checkSignature = (body: SignatureCheckBody): Promise<SignatureCheckAnswer> =>
  call('/api/signature-check', { method: 'POST', body });
