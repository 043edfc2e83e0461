import { describe, expect, it } from '@jest/globals';
import { EVENT_FEED, publicEvent, publish } from '#event-feed';
import { derivedId, newEventId, streamName } from '#kernel';
import { InMemoryEventLog } from '#testing';
import { boundAt, parseMoment } from './moment.js';

describe('a moment', () => {
  it.each([
    ['2026-11-21', Date.UTC(2026, 10, 21)],
    ['2026-11-21T09:30Z', Date.UTC(2026, 10, 21, 9, 30)],
    ['2026-11-21T09:30:15.250Z', Date.UTC(2026, 10, 21, 9, 30, 15, 250)],
    ['2026-11-21T09:30:00+02:00', Date.UTC(2026, 10, 21, 7, 30)],
    ['1763717400000', 1763717400000],
  ])('may be the time %s', (text, at) => {
    expect(parseMoment(text)).toEqual({ kind: 'time', at });
  });

  it.each(['01932b1e-4f3a-7c2d-9e11-0123456789ab', 'evt_01h2xcejqtf2nbrexx3vqjhp41'])(
    'may be the event %s',
    (eventId) => {
      expect(parseMoment(eventId)).toEqual({ kind: 'event', eventId });
    },
  );

  it.each([
    '',
    'yesterday',
    '2026-11-21T09:30',
    '2026-13-01',
    '2028-02-30',
    '2027-02-29T09:30Z',
    '2026-11-21T25:00Z',
    'crt_01h2xcejqtf2nbrexx3vqjhp41',
    '-1',
  ])('is not %j: a time without its offset is nobody’s', (text) => {
    expect(parseMoment(text)).toBeUndefined();
  });
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
