import type { ContextDefinition } from '#kernel';
import { WebhookScheduling } from './delivery/webhook-scheduling.js';
import { WEBHOOK_TARGETS } from './delivery/webhook-targets.js';
import { WEBHOOK_SCHEDULING, webhookDeliveryDecider } from './domain/webhook-delivery.js';
import { webhookEndpointUpcasters } from './domain/webhook-endpoint.events.js';
import { webhookEndpointDecider } from './domain/webhook-endpoint.js';
import { DisabledEndpoints } from './processes/disabled-endpoints.js';
import { WebhookTests } from './processes/webhook-tests.js';
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
  dueJobs: { disabledEndpoint: DisabledEndpoints, webhookTest: WebhookTests },
  reactions: {},
  consumers: { [WEBHOOK_SCHEDULING]: WebhookScheduling },
  announcements: [],
} satisfies ContextDefinition;
