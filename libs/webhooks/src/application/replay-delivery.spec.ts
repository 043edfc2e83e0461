import { beforeEach, expect, it } from '@jest/globals';
import { type DomainEvent, derivedId, newEventId, processContext, streamName } from '#kernel';
import { type TestedContext, testedContext } from '../../../testing/src/tested-context.js';
import type { WebhookDeliveryEvent } from '../domain/webhook-delivery.events.js';
import type { WebhookEndpointEvent } from '../domain/webhook-endpoint.events.js';
import { endpointId, order, registered, scheduled, workspaceId } from '../webhook.fixtures.js';
import { WebhooksModule } from '../webhooks.module.js';
import { ReplayDelivery } from './replay-delivery.js';

const delivered: WebhookDeliveryEvent = {
  type: 'webhookDelivery.delivered.v1',
  data: { endpointId, attempt: 1, status: 200, error: null },
};
const disabled: WebhookEndpointEvent = {
  type: 'webhookEndpoint.disabled.v1',
  data: { endpointId, reason: 'operator', failingSince: null },
};
const context = processContext('test', workspaceId, { id: 'cause', correlationId: 'c' });
const stream = streamName('webhookDelivery', order.deliveryId);

let service: TestedContext;
beforeEach(async () => {
  service = await testedContext([WebhooksModule]);
  await happened('webhookEndpoint', endpointId, registered);
  await happened('webhookDelivery', order.deliveryId, scheduled);
});

const replay = (id = order.deliveryId) => service.commands.execute(new ReplayDelivery(id, context));

const happened = (category: string, id: string, { type, data }: DomainEvent) => {
  const metadata = { at: 0, correlationId: 'c', causationId: null, actor: 'test', workspaceId };
  return service.log.append(streamName(category, id), 'any', [{ id: newEventId(), type, data, metadata }]);
};

it('D62: a settled delivery is replayed', async () => {
  await happened('webhookDelivery', order.deliveryId, delivered);
  expect(await replay()).toMatchObject({ status: 'pending', attemptsBefore: 1 });
});

it.each([
  ['settled', [delivered]],
  ['pending', []],
])('a %s delivery to a disabled endpoint is not replayed, and nothing is recorded', async (_, outcomes) => {
  for (const outcome of outcomes) await happened('webhookDelivery', order.deliveryId, outcome);
  await happened('webhookEndpoint', endpointId, disabled);
  const before = await service.log.readStream(stream);
  await expect(replay()).rejects.toMatchObject({ code: 'invalid_request' });
  expect(await service.log.readStream(stream)).toEqual(before);
});

it('an unknown delivery is not found', async () => {
  const unknown = derivedId('webhookDelivery', 'unknown');
  await expect(replay(unknown)).rejects.toMatchObject({ code: 'not_found' });
});
