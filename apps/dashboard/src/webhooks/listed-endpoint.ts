import type { ShownEndpoint } from '#webhooks';

export const listedEndpoint = ({ health, ...endpoint }: ShownEndpoint) => ({
  id: endpoint.id,
  url: endpoint.url,
  types: endpoint.types,
  status: endpoint.status,
  created_at: endpoint.createdAt,
  disabled_reason: endpoint.disabledBecause,
  success_rate: health.successRate,
  latency_ms: health.latency,
  pending: health.pending,
  last_failure_at: health.lastFailureAt,
  disables_at: endpoint.disablesAt,
});
