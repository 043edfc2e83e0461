import { beforeEach, expect, it } from '@jest/globals';
import { CommandRunner, type DomainEvent, derivedId, newEventId, processContext, streamName } from '#kernel';
import { FakeClock, InMemoryEventLog } from '#testing';
import { AgencyRepository } from '../../../agencies/src/application/agency.repository.js';
import { GetBindingHandler } from '../../../agencies/src/application/get-binding.js';
import { queryBusOf } from '../../../testing/src/buses.js';
import type { WebhookDeliveryEvent } from '../domain/webhook-delivery.events.js';
import type { WebhookEndpointEvent } from '../domain/webhook-endpoint.events.js';
import { endpointId, order, registered, registration, scheduled, workspaceId } from '../webhook.fixtures.js';
import { ReplayDelivery, ReplayDeliveryHandler } from './replay-delivery.js';
import { WebhookDeliveryRepository } from './webhook-delivery.repository.js';
import { WebhookEndpointRepository } from './webhook-endpoint.repository.js';

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

const { agencyId } = registration;
const ownerUserId = '0a000000-0000-4000-8000-000000000001';

let log: InMemoryEventLog;
let replaying: ReplayDeliveryHandler;
beforeEach(async () => {
  log = new InMemoryEventLog();
  const runner = new CommandRunner(log, new FakeClock(0));
  replaying = new ReplayDeliveryHandler(
    new WebhookDeliveryRepository(runner),
    new WebhookEndpointRepository(runner),
    queryBusOf(new GetBindingHandler(new AgencyRepository(runner))),
  );
  await happened('agency', agencyId, {
    type: 'agency.bound.v1',
    data: { agencyId, workspaceId, epoch: 1, ownerUserId },
  });
  await happened('webhookEndpoint', endpointId, registered);
  await happened('webhookDelivery', order.deliveryId, scheduled);
});

const replay = (id = order.deliveryId) => replaying.execute(new ReplayDelivery(id, context));

const happened = (category: string, id: string, { type, data }: DomainEvent) => {
  const metadata = { at: 0, correlationId: 'c', causationId: null, actor: 'test', workspaceId };
  return log.append(streamName(category, id), 'any', [{ id: newEventId(), type, data, metadata }]);
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
  const before = await log.readStream(stream);
  await expect(replay()).rejects.toMatchObject({ code: 'invalid_request' });
  expect(await log.readStream(stream)).toEqual(before);
});

it('an unknown delivery is not found', async () => {
  const unknown = derivedId('webhookDelivery', 'unknown');
  await expect(replay(unknown)).rejects.toMatchObject({ code: 'not_found' });
});
