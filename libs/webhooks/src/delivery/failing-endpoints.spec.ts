import { beforeEach, describe, expect, it } from '@jest/globals';
import { agencyId, DAY, derivedId, HOUR, type Instant, Logger, newEventId, streamName } from '#kernel';
import { FakeClock, RecordingLogger } from '#testing';
import { given } from '../../../testing/src/test-ports.module.js';
import { type TestedContext, testedContext } from '../../../testing/src/tested-context.js';
import type { WebhookEndpointEvent } from '../domain/webhook-endpoint.events.js';
import { EndpointList } from '../read-models/endpoint-list.js';
import { WebhooksModule } from '../webhooks.module.js';
import { FailingEndpoints } from './webhook-scheduling.js';

const lumen = agencyId('ag_lumen');
const workspaceId = derivedId('workspace', lumen);
const endpointId = derivedId('webhookEndpoint', 'one');
const stream = streamName('webhookEndpoint', endpointId);
const NOW: Instant = new FakeClock().now() + 100 * DAY;

let service: TestedContext;
let logger: RecordingLogger;
const happened = (event: WebhookEndpointEvent, at: Instant) => {
  const metadata = { at, correlationId: 'c', causationId: null, actor: 'test', workspaceId };
  return service.log.append(stream, 'any', [{ id: newEventId(), ...event, metadata }]);
};

beforeEach(async () => {
  logger = new RecordingLogger();
  service = await testedContext([WebhooksModule], [given(Logger, logger)]);
  service.clock.set(NOW + HOUR);
  const data = {
    endpointId,
    agencyId: lumen,
    workspaceId,
    epoch: 1,
    url: 'https://hooks.example/',
    encryptedSecret: 's',
  };
  await happened({ type: 'webhookEndpoint.registered.v2', data }, 0);
});

/** Judges by a read model that shows failures since then. */
const judged = async (since: Instant | null) => {
  service.get(EndpointList).failingSince = async () => since;
  await service.get(FailingEndpoints).judge(endpointId, NOW, { id: 'cause', correlationId: 'c' });
  const last = (await service.log.readStream(stream)).at(-1);
  return last?.type === 'webhookEndpoint.disabled.v1' ? last.data : null;
};

it('D93: an endpoint is not disabled while a clock may be wrong', async () => {
  service.clock.jump(-DAY);
  expect(await judged(NOW - 5 * DAY)).toBeNull();
});

describe('D82: an endpoint is disabled', () => {
  it('when its latest attempt failed, five days after the first failure since its last success', async () => {
    const failingSince = NOW - 5 * DAY;
    expect(await judged(failingSince)).toEqual({ endpointId, reason: 'failing', failingSince });
  });

  it('with one warning that names it, its agency and since when', async () => {
    await judged(NOW - 5 * DAY);
    await judged(NOW - 5 * DAY);
    const failingSince = new Date(NOW - 5 * DAY).toISOString();
    expect(logger.lines).toEqual([
      { level: 'warn', message: expect.any(String), fields: { endpointId, agencyId: lumen, failingSince } },
    ]);
  });
});

describe('D82: an endpoint stays active', () => {
  it('while the failures are not five days old', async () => {
    expect(await judged(NOW - 5 * DAY + 1)).toBeNull();
  });

  it('when a success came after the attempt', async () => {
    for (const since of [null, NOW + HOUR]) expect(await judged(since)).toBeNull();
  });

  it('when it was enabled after the failures began', async () => {
    await happened(
      { type: 'webhookEndpoint.disabled.v1', data: { endpointId, reason: 'operator', failingSince: null } },
      1,
    );
    await happened({ type: 'webhookEndpoint.enabled.v1', data: { endpointId } }, NOW - DAY);
    expect(await judged(NOW - 5 * DAY)).toBeNull();
  });
});
