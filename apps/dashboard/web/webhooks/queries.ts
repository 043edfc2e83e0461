import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.js';
import type { Endpoint, Page, SendResult, SignatureVerdict } from '../api/types.js';

export const endpointsQuery = (after: string | undefined) =>
  queryOptions({
    queryKey: ['endpoints', after],
    queryFn: ({ signal }) => call<Page<Endpoint>>('/api/endpoints', { query: { after }, signal }),
  });

export interface NewEndpoint {
  readonly url: string;
  /** Without it, all types. */
  readonly types?: readonly string[];
}

interface WithSecret {
  readonly id: string;
  readonly secret: string;
}

export type Overlap = '0' | '24h' | '7d';
export const OVERLAP_NAMES = { '0': 'Not at all', '24h': '24 hours', '7d': '7 days' } as const;

export const addEndpoint = (body: NewEndpoint): Promise<WithSecret> => call('/api/endpoints', { method: 'POST', body });

export const sendTest = (id: string): Promise<SendResult> => call(`/api/endpoints/${id}/test`, { method: 'POST' });

export const rotateSecret = ({
  id,
  overlap,
}: {
  readonly id: string;
  readonly overlap: Overlap;
}): Promise<WithSecret> => call(`/api/endpoints/${id}/rotate`, { method: 'POST', body: { overlap } });

export const disableEndpoint = (id: string): Promise<object> =>
  call(`/api/endpoints/${id}/disable`, { method: 'POST' });

export const enableEndpoint = (id: string): Promise<object> => call(`/api/endpoints/${id}/enable`, { method: 'POST' });

export const setTypes = ({
  id,
  types,
}: {
  readonly id: string;
  readonly types: readonly string[] | null;
}): Promise<object> => call(`/api/endpoints/${id}/types`, { method: 'PUT', body: { types } });

export const checkSignature = (body: {
  readonly headers: Readonly<Record<string, string>>;
  readonly sha256: string;
}): Promise<SignatureVerdict> => call('/api/signature-check', { method: 'POST', body });
