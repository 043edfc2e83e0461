import type { ContextDefinition } from '#kernel';
import { WEBHOOK_TARGETS } from './delivery/webhook-targets.js';
import { webhookDeliveryDecider } from './domain/webhook-delivery.js';
import { webhookEndpointUpcasters } from './domain/webhook-endpoint.events.js';
import { webhookEndpointDecider } from './domain/webhook-endpoint.js';
import { webhooksDueWork } from './processes/webhooks-due-work.js';
import { deliveryListProjection } from './read-models/delivery-list.js';
import { endpointListProjection } from './read-models/endpoint-list.js';

export const webhooksContext = {
  name: 'webhooks',
  deciders: [webhookEndpointDecider, webhookDeliveryDecider],
  upcasters: webhookEndpointUpcasters,
  projections: [endpointListProjection, deliveryListProjection],
  collections: [WEBHOOK_TARGETS],
  dueWork: webhooksDueWork,
  announcements: [],
} satisfies ContextDefinition;
