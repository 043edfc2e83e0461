import type { ListedEndpoint } from '../read-models/list-endpoints.js';
import type { DisabledSpan } from '../read-models/missed-events.js';
import type { ShownEndpoint } from '../read-models/show-endpoints.js';

/** An endpoint in a list, without its secret. */
export const publicEndpoint = ({ id, url, types, status, disabledBecause, createdAt }: ListedEndpoint) => ({
  id,
  url,
  types,
  status,
  disabled_reason: disabledBecause,
  created_at: createdAt,
});

/** How an endpoint has answered lately. */
export const publicHealth = ({ health, disablesAt }: ShownEndpoint) => ({
  success_rate: health.successRate,
  latency_ms: health.latency,
  pending: health.pending,
  last_failure_at: health.lastFailureAt,
  disables_at: disablesAt,
});

export const publicDisabledSpan = ({ endpointId, from, to, count }: DisabledSpan) => ({
  endpoint_id: endpointId,
  from,
  to,
  count,
});
