import { beforeEach, expect, it } from '@jest/globals';
import { derivedId, streamName, type WorkspaceId } from '#kernel';
import { Projecting } from '../../../projections/src/read-models/projected.fixtures.js';
import { EVENT_FEED, type EventPublished, type PublicEventType, publicEventId } from '../domain/public-event.js';
import { type FeedEventDocument, type FeedFilter, FeedIndex, feedIndexProjection } from './feed-index.js';

const [lumen, nova] = [derivedId('workspace', 'lumen'), derivedId('workspace', 'nova')];
const [mia, zoe] = [derivedId('creator', 'mia'), derivedId('creator', 'zoe')];

let projecting: Projecting<FeedEventDocument, EventPublished>;
let index: FeedIndex;

const idAt = (at: number, type: PublicEventType = 'scan.completed') => publicEventId(`cause ${at}`, at, type);

const publish = (at: number, { type = 'scan.completed' as PublicEventType, creatorId = mia, workspace = lumen } = {}) =>
  projecting.record(
    streamName(EVENT_FEED, workspace),
    {
      type: 'eventFeed.eventPublished.v1',
      data: {
        eventId: idAt(at, type),
        eventType: type,
        creatorId,
        cause: { eventId: 'cause', stream: streamName('scan', 'one'), revision: 0 },
        personal: { bytes: 'the name of Mia' },
      },
    },
    at,
  );

const newest = async (filter: FeedFilter = {}, limit = 10, of: WorkspaceId = lumen, before?: number) =>
  (await index.newest(of, filter, limit, before === undefined ? undefined : idAt(before))).map(
    ({ revision }) => revision,
  );

beforeEach(async () => {
  projecting = new Projecting(feedIndexProjection);
  index = new FeedIndex(projecting.readModel);
  await publish(100);
  await publish(200, { type: 'case.created', creatorId: zoe });
  await publish(300, { workspace: nova });
  await publish(400, { creatorId: zoe });
});

it('has what was published, without the bytes', async () => {
  const [, , first] = await index.newest(lumen, {}, 10);
  expect(first).toMatchObject({ id: idAt(100), workspaceId: lumen, creatorId: mia, revision: 0 });
  expect(JSON.stringify(await projecting.all())).not.toContain('Mia');
});

it('has no event of another workspace', async () => {
  expect(await newest({}, 10, nova)).toEqual([0]);
  expect(await newest({ creatorId: zoe }, 10, nova)).toEqual([]);
});

it('finds the newest first, by type, by creator and by time, which includes both ends', async () => {
  expect(await newest()).toEqual([2, 1, 0]);
  expect(await newest({}, 2)).toEqual([2, 1]);
  expect(await newest({ eventType: 'scan.completed' })).toEqual([2, 0]);
  expect(await newest({ creatorId: zoe })).toEqual([2, 1]);
  expect(await newest({ from: 200 })).toEqual([2, 1]);
  expect(await newest({ to: 200 })).toEqual([1, 0]);
  expect(await newest({ from: 101, to: 399, eventType: 'case.created' })).toEqual([1]);
});

it('goes on before an event', async () => {
  expect(await newest({}, 10, lumen, 400)).toEqual([1, 0]);
  expect(await newest({ to: 200 }, 10, lumen, 400)).toEqual([1, 0]);
  expect(await newest({ to: 300 }, 10, lumen, 200)).toEqual([0]);
});
