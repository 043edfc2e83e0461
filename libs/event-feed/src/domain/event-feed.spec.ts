import { expect, it } from '@jest/globals';
import { agencyId, derivedId } from '#kernel';
import { type EventReference, publish } from './event-feed.js';
import { publicEvent } from './public-event.js';

const creatorId = derivedId('creator', 'mia');
const workspaceId = derivedId('workspace', agencyId('ag_lumen'));
const cause: EventReference = {
  eventId: '019b76da-a800-7000-8000-000000000001',
  stream: `scan-${derivedId('scan', 1)}`,
  revision: 4,
};

it('D58: the feed stores the bytes as they were made, as personal data, and says up to which cause it has published', () => {
  const event = publicEvent(
    { type: 'scan.failed', creatorId, data: { scan_id: 's' } },
    { id: cause.eventId, at: 5, workspaceId },
    5,
  );
  expect(publish(event, cause)).toStrictEqual({
    type: 'eventFeed.eventPublished.v1',
    data: { eventId: event.id, eventType: 'scan.failed', creatorId, cause, personal: { bytes: event.bytes } },
  });
});
