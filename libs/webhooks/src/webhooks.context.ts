import { taskContext, taskJob } from '#jobs';
import { type ContextDefinition, MINUTE, type WebhookEndpointId } from '#kernel';
import { SendPing } from './application/endpoint-test.js';
import { FailPendingDeliveries } from './application/fail-pending-deliveries.js';
import { AdvanceReplay } from './application/replays.js';
import { WebhookScheduling } from './delivery/webhook-scheduling.js';
import { WEBHOOK_SCHEDULING, webhookDeliveryDecider } from './domain/webhook-delivery.js';
import { webhookEndpointUpcasters } from './domain/webhook-endpoint.events.js';
import { webhookEndpointDecider } from './domain/webhook-endpoint.js';
import { webhookReplayDecider } from './domain/webhook-replay.js';
import { webhooksTaskRules } from './processes/webhooks-task-rules.js';
import { deliveryListProjection } from './read-models/delivery-list.js';
import { endpointHealthProjection } from './read-models/endpoint-health.js';
import { endpointListProjection } from './read-models/endpoint-list.js';
import { missedEventsProjection } from './read-models/missed-events.js';

export const webhooksContext = {
  name: 'webhooks',
  deciders: [webhookEndpointDecider, webhookDeliveryDecider, webhookReplayDecider],
  upcasters: webhookEndpointUpcasters,
  projections: [endpointListProjection, deliveryListProjection, endpointHealthProjection, missedEventsProjection],
  collections: [],
  taskRules: webhooksTaskRules,
  taskJobs: {
    /** For longer than a minute, as an endpoint may have very many pending deliveries (D82). */
    disabledEndpoint: taskJob<WebhookEndpointId>(
      { concurrency: 2, longestWait: MINUTE },
      (item) => new FailPendingDeliveries(item.subject, taskContext(item)),
    ),
    webhookTest: taskJob<WebhookEndpointId>(
      { concurrency: 4, longestWait: MINUTE },
      (item) => new SendPing(item.subject, taskContext(item)),
    ),
    webhookReplay: taskJob<WebhookEndpointId>(
      { concurrency: 4, longestWait: MINUTE },
      (item) => new AdvanceReplay(item.subject, taskContext(item)),
    ),
  },
  reactions: {},
  consumers: { [WEBHOOK_SCHEDULING]: WebhookScheduling },
  announcements: [],
} satisfies ContextDefinition;
