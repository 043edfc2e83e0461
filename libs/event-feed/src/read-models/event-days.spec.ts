import { expect, it } from '@jest/globals';
import { DAY, derivedId, HOUR, streamName } from '#kernel';
import { FakeClock } from '#testing';
import { Projecting } from '../../../projections/src/read-models/projected.fixtures.js';
import { EVENT_FEED, type EventPublished, publicEventId } from '../domain/public-event.js';
import { CountEventsByDay, CountEventsByDayHandler, type EventDayDocument, eventDaysProjection } from './event-days.js';

const [lumen, nova] = [derivedId('workspace', 'lumen'), derivedId('workspace', 'nova')];
/** 2024-10-04. */
const TODAY = 20_000 * DAY;

it('counts the events of each day in UTC, with zero for days without one', async () => {
  const projecting = new Projecting<EventDayDocument, EventPublished>(eventDaysProjection);
  const publish = (at: number, workspace = lumen) =>
    projecting.record(
      streamName(EVENT_FEED, workspace),
      {
        type: 'eventFeed.eventPublished.v1',
        data: {
          eventId: publicEventId(`cause ${at}`, at, 'scan.completed'),
          eventType: 'scan.completed',
          creatorId: derivedId('creator', 'mia'),
          cause: { eventId: 'cause', stream: streamName('scan', 'one'), revision: 0 },
          personal: { bytes: 'the name of Mia' },
        },
      },
      at,
    );
  await publish(TODAY - 3 * DAY);
  await publish(TODAY - 2 * DAY);
  await publish(TODAY - 1);
  await publish(TODAY);
  await publish(TODAY + HOUR);
  await publish(TODAY + HOUR, nova);
  const clock = new FakeClock(TODAY + 2 * HOUR);
  const handler = new CountEventsByDayHandler(projecting.readModel, clock);
  expect(await handler.execute(new CountEventsByDay(lumen, 3))).toEqual([
    { day: '2024-10-02', count: 1 },
    { day: '2024-10-03', count: 1 },
    { day: '2024-10-04', count: 2 },
  ]);
  expect(JSON.stringify(await projecting.all())).not.toContain('Mia');
});
