import { commandOf, immediately, noLonger, type TaskRules } from '#jobs';
import { type ContextDefinition, MINUTE } from '#kernel';
import { SendPing } from './application/endpoint-test.js';
import { FailPendingDeliveries } from './application/fail-pending-deliveries.js';
import { AdvanceReplay } from './application/replays.js';
import { WebhookScheduling } from './delivery/webhook-scheduling.js';
import { WEBHOOK_SCHEDULING, webhookDeliveryDecider } from './domain/webhook-delivery.js';
import { type WebhookEndpointEvent, webhookEndpointUpcasters } from './domain/webhook-endpoint.events.js';
import { webhookEndpointDecider } from './domain/webhook-endpoint.js';
import { type WebhookReplayEvent, webhookReplayDecider } from './domain/webhook-replay.js';
import { deliveryListProjection } from './read-models/delivery-list.js';
import { endpointHealthProjection } from './read-models/endpoint-health.js';
import { endpointListProjection } from './read-models/endpoint-list.js';
import { missedEventsProjection } from './read-models/missed-events.js';

const webhooksTaskRules: TaskRules<WebhookEndpointEvent | WebhookReplayEvent> = {
  'webhookEndpoint.registered.v2': [],
  'webhookEndpoint.secretRotated.v2': [],
  'webhookEndpoint.secretReencrypted.v2': [],
  'webhookEndpoint.typesChosen.v1': [],
  'webhookEndpoint.suspended.v1': [],
  'webhookEndpoint.resumed.v1': [],
  'webhookEndpoint.testRequested.v1': [{ kind: 'webhookTest', due: immediately }],
  'webhookEndpoint.tested.v1': [{ kind: 'webhookTest', due: noLonger }],
  'webhookEndpoint.disabled.v1': [{ kind: 'disabledEndpoint', due: immediately }],
  'webhookEndpoint.pendingDeliveriesFailed.v1': [{ kind: 'disabledEndpoint', due: noLonger }],
  'webhookEndpoint.enabled.v1': [{ kind: 'disabledEndpoint', due: noLonger }],
  'webhookReplay.requested.v1': [{ kind: 'webhookReplay', due: immediately }],
  'webhookReplay.advanced.v1': [
    { kind: 'webhookReplay', due: (at, { data }) => (data.after === null ? undefined : at) },
  ],
  'webhookReplay.ended.v1': [{ kind: 'webhookReplay', due: noLonger }],
};

export const webhooksContext = {
  name: 'webhooks',
  deciders: [webhookEndpointDecider, webhookDeliveryDecider, webhookReplayDecider],
  upcasters: webhookEndpointUpcasters,
  projections: [endpointListProjection, deliveryListProjection, endpointHealthProjection, missedEventsProjection],
  collections: [],
  taskRules: webhooksTaskRules,
  taskJobs: {
    /** For longer than a minute, as an endpoint may have very many pending deliveries (D82). */
    disabledEndpoint: { concurrency: 2, longestWait: MINUTE, command: commandOf(FailPendingDeliveries) },
    webhookTest: { concurrency: 4, longestWait: MINUTE, command: commandOf(SendPing) },
    webhookReplay: { concurrency: 4, longestWait: MINUTE, command: commandOf(AdvanceReplay) },
  },
  reactions: {},
  consumers: { [WEBHOOK_SCHEDULING]: WebhookScheduling },
  announcements: [],
} satisfies ContextDefinition;
