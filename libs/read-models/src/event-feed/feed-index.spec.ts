import { beforeEach, describe, expect, it } from '@jest/globals';
import { InMemoryEventLog } from '#event-log';
import { derivedId, newEventId, streamName, type WorkspaceId } from '#kernel';
import { EVENT_FEED, type EventPublished } from '#publishing';
import { Projecting, workspaceId } from '../projected.examples.js';
import { EventFeed, type FeedEntry, feedIndexProjection } from './feed-index.js';

const elsewhere = derivedId('workspace', 'ag_nova');
const creatorId = derivedId('creator', 'mia');

let log: InMemoryEventLog;
let index: Projecting<FeedEntry, EventPublished>;
let feed: EventFeed;
beforeEach(() => {
  log = new InMemoryEventLog();
  index = new Projecting(feedIndexProjection);
  feed = new EventFeed(log, index.readModel);
});

const idOf = (name: string) => derivedId('event', name);
const publish = async (name: string, workspace: WorkspaceId = workspaceId) => {
  const stream = streamName(EVENT_FEED, workspace);
  const cause = { eventId: name, stream: streamName('scan', 'x'), revision: 0 };
  const event: EventPublished = {
    type: 'eventFeed.eventPublished.v1',
    data: { eventId: idOf(name), eventType: 'scan.completed', creatorId, cause, personal: { bytes: name } },
  };
  const metadata = { at: 0, correlationId: 'c', causationId: null, actor: 'process:test', workspaceId: workspace };
  await log.append(stream, 'any', [{ id: newEventId(), ...event, metadata }]);
  await index.record(stream, event);
};
const names = async (from: number, limit: number) =>
  (await feed.read(workspaceId, from, limit)).map(({ data }) => data.personal.bytes);

beforeEach(async () => {
  for (const name of ['one', 'two', 'three']) {
    await publish(name);
    await publish(`their ${name}`, elsewhere);
  }
});

describe('a cursor', () => {
  it('has its place in its workspace’s feed', async () => {
    expect(await feed.placeOf(workspaceId, idOf('one'))).toBe(0);
    expect(await feed.placeOf(workspaceId, idOf('three'))).toBe(2);
    expect(await feed.placeOf(elsewhere, idOf('their two'))).toBe(1);
  });

  it('has none in another’s feed, or where there is no such event (D13)', async () => {
    expect(await feed.placeOf(elsewhere, idOf('one'))).toBeUndefined();
    expect(await feed.placeOf(workspaceId, idOf('never'))).toBeUndefined();
  });
});

describe('a feed', () => {
  it('is read in the order of its publishing, page by page, and no other workspace’s', async () => {
    expect(await names(0, 2)).toEqual(['one', 'two']);
    expect(await names(2, 2)).toEqual(['three']);
    expect(await names(3, 2)).toEqual([]);
  });
});
