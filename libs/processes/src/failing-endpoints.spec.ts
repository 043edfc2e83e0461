import { beforeEach, describe, expect, it } from '@jest/globals';
import { InMemoryEventLog } from '#event-log';
import {
  agencyId,
  CommandRunner,
  DAY,
  derivedId,
  HOUR,
  type Instant,
  newEventId,
  processContext,
  streamName,
} from '#kernel';
import { FakeClock } from '#testing';
import type { KnownDelivery, WebhookDelivery, WebhookEndpointEvent } from '#webhooks';
import { FailingEndpoints } from './failing-endpoints.js';

const lumen = agencyId('ag_lumen');
const workspaceId = derivedId('workspace', lumen);
const endpointId = derivedId('webhookEndpoint', 'one');
const stream = streamName('webhookEndpoint', endpointId);
const context = processContext('test', workspaceId, { id: 'cause', correlationId: 'c' });
const NOW: Instant = 100 * DAY;

const known: KnownDelivery = {
  deliveryId: derivedId('webhookDelivery', 'one'),
  endpointId,
  agencyId: lumen,
  creatorId: derivedId('creator', 'mia'),
  eventId: derivedId('event', 'one'),
  eventType: 'scan.completed',
  workspaceId,
  feedRevision: 0,
  scheduledAt: NOW - 8 * HOUR,
  attempts: 5,
  attemptsBefore: 0,
  lastStatus: 500,
  lastError: 'refused',
};
const exhausted: WebhookDelivery = { ...known, status: 'failed' };
const retrying: WebhookDelivery = { ...known, status: 'pending', attempts: 1, dueAt: NOW + HOUR };
const longPending: WebhookDelivery = { ...retrying, scheduledAt: NOW - 5 * DAY };

let log: InMemoryEventLog;
beforeEach(async () => {
  log = new InMemoryEventLog();
  const registered: WebhookEndpointEvent = {
    type: 'webhookEndpoint.registered.v1',
    data: { endpointId, agencyId: lumen, workspaceId, epoch: 1, url: 'https://hooks.example/', sealedSecret: 's' },
  };
  const metadata = { at: 0, correlationId: 'c', causationId: null, actor: 'test', workspaceId };
  await log.append(stream, 'none', [{ id: newEventId(), ...registered, metadata }]);
});

/** What the read model shows, and what it shows once it has caught up, if it does. */
const statusAfter = async (
  delivery: WebhookDelivery,
  shown: Instant | null,
  {
    upToDate = shown,
    inTime = true,
    succeeds = false,
  }: { upToDate?: Instant | null; inTime?: boolean; succeeds?: boolean } = {},
) => {
  let since = shown;
  const caughtUp = async () => {
    since = upToDate;
    if (succeeds) failing.succeeded(endpointId);
    return inTime;
  };
  const runner = new CommandRunner(log, new FakeClock(NOW));
  const failing = new FailingEndpoints(runner, { failingSince: async () => since }, caughtUp);
  await failing.failed(delivery, context);
  const events = await log.readStream(stream);
  return events.at(-1)?.type === 'webhookEndpoint.disabled.v1' ? events.at(-1)?.data : 'active';
};

describe('an endpoint is disabled', () => {
  it('after five days without a success, when a delivery has used up its attempts', async () => {
    expect(await statusAfter(exhausted, NOW - 5 * DAY)).toEqual({
      endpointId,
      reason: 'failing',
      failingSince: NOW - 5 * DAY,
    });
  });

  it('after five days without a success, when a delivery fails that has waited for all of them', async () => {
    expect(await statusAfter(longPending, NOW - 5 * DAY)).toMatchObject({ reason: 'failing' });
  });
});

describe('an endpoint stays active', () => {
  it('when a single attempt fails, however long ago another did', async () => {
    expect(await statusAfter(retrying, NOW - 50 * DAY)).toBe('active');
  });

  it('when a replay of what was scheduled long ago fails once', async () => {
    expect(await statusAfter({ ...longPending, attempts: 6, attemptsBefore: 5 }, NOW - 5 * DAY)).toBe('active');
  });

  it('while the failures are not five days old', async () => {
    expect(await statusAfter(exhausted, NOW - 5 * DAY + 1)).toBe('active');
    expect(await statusAfter(exhausted, null)).toBe('active');
  });

  it('when the log knows of a success that the read model did not yet show', async () => {
    expect(await statusAfter(exhausted, NOW - 5 * DAY, { upToDate: null })).toBe('active');
    expect(await statusAfter(exhausted, NOW - 5 * DAY, { upToDate: NOW - HOUR })).toBe('active');
  });

  it('when it has just answered a delivery with success, recorded or not', async () => {
    expect(await statusAfter(exhausted, NOW - 5 * DAY, { succeeds: true })).toBe('active');
  });

  it('when the read model can not be brought to the end of the log', async () => {
    expect(await statusAfter(exhausted, NOW - 5 * DAY, { inTime: false })).toBe('active');
  });
});
