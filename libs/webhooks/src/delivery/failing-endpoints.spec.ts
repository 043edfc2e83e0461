import { beforeEach, expect, it } from '@jest/globals';
import { ClockWatch, DAY, HOUR, type Instant, Logger, newEventId, type Position, streamName } from '#kernel';
import { FakeClock, RecordingLogger } from '#testing';
import { given } from '../../../testing/src/test-ports.module.js';
import { type TestedContext, testedContext } from '../../../testing/src/tested-context.js';
import { type EndpointDocument, EndpointList } from '../read-models/endpoint-list.js';
import { endpointId, registered, registration, workspaceId } from '../webhook.fixtures.js';
import { WebhooksModule } from '../webhooks.module.js';
import { WebhookScheduling } from './webhook-scheduling.js';

const stream = streamName('webhookEndpoint', endpointId);
const NOW: Instant = new FakeClock().now() + 100 * DAY;

let service: TestedContext;
let logger: RecordingLogger;
let firstFailure: Position;

beforeEach(async () => {
  logger = new RecordingLogger();
  service = await testedContext([WebhooksModule], [given(Logger, logger)]);
  service.clock.set(NOW + HOUR);
  const metadata = { at: 0, correlationId: 'c', causationId: null, actor: 'test', workspaceId };
  const appended = await service.log.append(stream, 'none', [{ id: newEventId(), ...registered, metadata }]);
  firstFailure = appended.position;
});

/** Handles a failure, with a read model that shows failures since then. */
const judged = async (since: Instant | null) => {
  const failing = { failingSince: since, failingFrom: since === null ? null : firstFailure };
  service.get(EndpointList).get = async () => failing as EndpointDocument;
  const [event] = await service.log.readStream(stream);
  if (event === undefined) throw new Error('the endpoint is not registered');
  const failure = { ...event, metadata: { ...event.metadata, at: NOW } };
  await service.get(WebhookScheduling).disableIfFailing(endpointId, failure);
  const last = (await service.log.readStream(stream)).at(-1);
  return last?.type === 'webhookEndpoint.disabled.v1' ? last.data : null;
};

it('D93: an endpoint is not disabled while a clock may be wrong', async () => {
  service.clock.jump(-DAY);
  expect(await judged(NOW - 5 * DAY)).toBeNull();
});

it('D93: while a clock is wrong, the five days count by the monotonic clock', async () => {
  await service.get(ClockWatch).check();
  service.clock.advance(5 * DAY - 1);
  service.clock.jump(-30 * DAY);
  expect(await judged(NOW - 5 * DAY)).toBeNull();
  service.clock.advance(1);
  expect(await judged(NOW - DAY)).toMatchObject({ reason: 'failing' });
});

it('D82: an endpoint is disabled with one warning that names it, its agency and since when', async () => {
  const failingSince = NOW - 5 * DAY;
  for (let time = 0; time < 2; time++) {
    expect(await judged(failingSince)).toEqual({ endpointId, reason: 'failing', failingSince });
  }
  const fields = { endpointId, agencyId: registration.agencyId, failingSince: new Date(failingSince).toISOString() };
  expect(logger.lines).toEqual([{ level: 'warn', message: expect.any(String), fields }]);
});

it('D82: an endpoint stays active when a success came after the attempt', async () => {
  for (const since of [null, NOW + HOUR]) expect(await judged(since)).toBeNull();
});
