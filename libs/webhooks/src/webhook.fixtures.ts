import { agencyId, derivedId } from '#kernel';
import type { WebhookDeliveryEvent } from './domain/webhook-delivery.js';
import type { WebhookEndpointEvent } from './domain/webhook-endpoint.events.js';

const agency = agencyId('ag_lumen');
export const endpointId = derivedId('webhookEndpoint', 'one');
export const workspaceId = derivedId('workspace', agency);

export const registration = {
  endpointId,
  agencyId: agency,
  workspaceId,
  epoch: 1,
  url: 'https://hooks.example/svc',
  encryptedSecret: 'encrypted-1',
  types: null,
};
export const registered: WebhookEndpointEvent = { type: 'webhookEndpoint.registered.v2', data: registration };

export const disabled: WebhookEndpointEvent = {
  type: 'webhookEndpoint.disabled.v1',
  data: { endpointId, reason: 'operator', failingSince: null },
};
export const enabled: WebhookEndpointEvent = { type: 'webhookEndpoint.enabled.v1', data: { endpointId } };

export const order = {
  deliveryId: derivedId('webhookDelivery', 'one'),
  endpointId,
  agencyId: agency,
  creatorId: derivedId('creator', 'mia'),
  eventId: derivedId('event', 'one'),
  eventType: 'scan.completed' as const,
  workspaceId,
  feedRevision: 7,
};
export const scheduled: WebhookDeliveryEvent = { type: 'webhookDelivery.scheduled.v1', data: order };
