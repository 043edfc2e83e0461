import { immediately, noLonger, type TaskRules } from '#jobs';
import type { WebhookDeliveryEvent } from '../domain/webhook-delivery.events.js';
import type { WebhookEndpointEvent } from '../domain/webhook-endpoint.events.js';
import type { WebhookReplayEvent } from '../domain/webhook-replay.events.js';

export const webhooksTaskRules: TaskRules<WebhookEndpointEvent | WebhookDeliveryEvent | WebhookReplayEvent> = {
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
  // Deliveries are tasks of their own: the documents of `webhook_deliveries`.
  'webhookDelivery.scheduled.v1': [],
  'webhookDelivery.attemptFailed.v1': [],
  'webhookDelivery.delivered.v1': [],
  'webhookDelivery.exhausted.v1': [],
  'webhookDelivery.postponed.v1': [],
  'webhookDelivery.revoked.v1': [],
  'webhookDelivery.replayRequested.v1': [],
};
