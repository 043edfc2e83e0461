import { type Instant, invalidRequest, notFound, parseId, parseTime, type WebhookEndpointId } from '#kernel';

export const endpointOf = (id: string | undefined): WebhookEndpointId => {
  const endpointId = parseId('webhookEndpoint', id ?? '');
  if (endpointId === undefined) throw notFound('endpoint', `${id} does not exist`);
  return endpointId;
};

/** The time that an option names. */
export const instantOf = (field: string, text: string): Instant => {
  const instant = /^\d+$/.test(text) ? Number(text) : parseTime(text);
  if (instant !== undefined && Number.isSafeInteger(instant)) return instant;
  throw invalidRequest({ field, message: 'must be a time such as 2026-01-31T12:00:00Z' });
};
