import { expect, it } from '@jest/globals';
import { EVENT_FEED, publicEvent, publish } from '#event-feed';
import { derivedId, newEventId, streamName } from '#kernel';
import { InMemoryEventLog } from '#testing';
import { boundAt, eventIdIn } from './moment.js';

it.each(['01932b1e-4f3a-7c2d-9e11-0123456789ab', 'evt_01h2xcejqtf2nbrexx3vqjhp41'])('%s may be an event', (id) => {
  expect(eventIdIn(id)).toBe(id);
});

it.each(['', '2026-11-21', '1763717400000', 'crt_01h2xcejqtf2nbrexx3vqjhp41'])('%j is no event', (text) => {
  expect(eventIdIn(text)).toBeUndefined();
});

it('D81: an event of a feed has its own time, not that of its cause', async () => {
  const log = new InMemoryEventLog();
  const workspaceId = derivedId('workspace', 'ag_lumen');
  const creatorId = derivedId('creator', 'mia');
  const metadata = { correlationId: 'c', causationId: null, actor: 'test', workspaceId };
  const stream = streamName('scan', derivedId('scan', 'one'));
  const id = newEventId();
  await log.append(stream, 'none', [{ id, type: 'scan.completed.v1', data: {}, metadata: { at: 3_000, ...metadata } }]);
  const announced = publicEvent({ type: 'scan.completed', creatorId, data: {} }, { id, at: 3_000, workspaceId }, 7_000);
  const published = publish(announced, { eventId: id, stream, revision: 0 });
  await log.append(streamName(EVENT_FEED, workspaceId), 'none', [
    { id: newEventId(), ...published, metadata: { at: 7_000, ...metadata } },
  ]);
  expect((await boundAt(log, { kind: 'event', eventId: announced.id })).at).toBe(7_000);
});
