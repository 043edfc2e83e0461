import { beforeEach, describe, expect, it } from '@jest/globals';
import { agencyId, DAY, derivedId, HOUR, type Instant, Logger, newEventId, Progress, streamName } from '#kernel';
import { READ_MODELS } from '#projections';
import { FakeClock, RecordingLogger } from '#testing';
import { given } from '../../../testing/src/test-ports.module.js';
import { type TestedContext, testedContext } from '../../../testing/src/tested-context.js';
import type { WebhookEndpointEvent } from '../domain/webhook-endpoint.events.js';
import { EndpointList } from '../read-models/endpoint-list.js';
import { WebhooksModule } from '../webhooks.module.js';
import { FailingEndpoints } from './failing-endpoints.js';

const lumen = agencyId('ag_lumen');
const workspaceId = derivedId('workspace', lumen);
const endpointId = derivedId('webhookEndpoint', 'one');
const stream = streamName('webhookEndpoint', endpointId);
const NOW: Instant = new FakeClock().now() + 100 * DAY;
const latest = { position: 7, at: NOW, cause: { id: 'cause', correlationId: 'c' } };

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

interface Shown {
  /** What the read model shows after it has reached the attempt; and before, if that differs. */
  readonly upToDate?: Instant | null;
  /** How long it takes to come there. */
  readonly after?: number;
}

/** Judges by a read model, waiting for at most a second. */
const judged = async (shown: Instant | null, { upToDate = shown, after = 0 }: Shown = {}) => {
  let since = shown;
  const waits: number[] = [];
  service.get(EndpointList).failingSince = async () => since;
  service.get(Progress).passed = async (runners, position, timeout) => {
    expect(runners).toEqual([READ_MODELS]);
    expect(position).toBe(latest.position);
    waits.push(timeout);
    if (after > timeout) return false;
    since = upToDate;
    return true;
  };
  const isJudged = await service.get(FailingEndpoints).judge(endpointId, latest, 1_000);
  const last = (await service.log.readStream(stream)).at(-1);
  return { isJudged, waits, disabled: last?.type === 'webhookEndpoint.disabled.v1' ? last.data : null };
};

it('D93: an endpoint is not disabled while a clock may be wrong', async () => {
  service.clock.jump(-DAY);
  expect(await judged(NOW - 5 * DAY)).toMatchObject({ isJudged: true, disabled: null });
});

describe('D82: an endpoint is disabled', () => {
  it('when its latest attempt failed, five days after the first failure since its last success', async () => {
    const failingSince = NOW - 5 * DAY;
    const { isJudged, disabled } = await judged(failingSince);
    expect(isJudged).toBe(true);
    expect(disabled).toEqual({ endpointId, reason: 'failing', failingSince });
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
    expect(await judged(NOW - 5 * DAY + 1)).toMatchObject({ isJudged: true, disabled: null });
  });

  it('when a success came after the attempt', async () => {
    expect(await judged(null)).toMatchObject({ isJudged: true, disabled: null });
  });

  it('when the log knows of a success that the read model did not yet show', async () => {
    for (const upToDate of [null, NOW - HOUR]) {
      expect(await judged(NOW - 5 * DAY, { upToDate, after: 500 })).toMatchObject({ isJudged: true, disabled: null });
    }
  });

  it('when it was enabled after the failures began', async () => {
    await happened(
      { type: 'webhookEndpoint.disabled.v1', data: { endpointId, reason: 'operator', failingSince: null } },
      1,
    );
    await happened({ type: 'webhookEndpoint.enabled.v1', data: { endpointId } }, NOW - DAY);
    expect(await judged(NOW - 5 * DAY)).toMatchObject({ isJudged: true, disabled: null });
  });
});

describe('an endpoint whose attempt the read model does not show yet', () => {
  it('is judged later if that takes too long', async () => {
    expect(await judged(NOW - 5 * DAY, { after: 1_001 })).toMatchObject({ isJudged: false, disabled: null });
    expect(await judged(null, { upToDate: NOW - 5 * DAY, after: 1 })).toMatchObject({
      isJudged: false,
      disabled: null,
    });
  });

  it('has the read model waited for only if the shown failures are five days old', async () => {
    expect((await judged(NOW - HOUR, { after: 500 })).waits).toEqual([]);
    expect((await judged(null, { after: 500 })).waits).toEqual([0]);
    expect((await judged(NOW - 5 * DAY, { after: 500 })).waits).toEqual([1_000]);
  });
});
