import { beforeEach, expect, it, jest } from '@jest/globals';
import { derivedId, ENCRYPTED, ERASED, PersonalDataUnreadable } from '#kernel';
import { fact, linked, mia, workspaceId } from '../../../creators/src/domain/creator.fixtures.js';
import { type TestedContext, testedContext } from '../../../testing/src/tested-context.js';
import { eventIdAt, publishAt } from '../domain/event-feed.fixtures.js';
import { EventFeedModule } from '../event-feed.module.js';
import { ListEvents } from './read-events.js';
import { VisibleEvents } from './visible-events.js';

let service: TestedContext;
let visible: VisibleEvents;

beforeEach(async () => {
  service = await testedContext([EventFeedModule]);
  visible = service.get(VisibleEvents);
  await service.creatorDid(mia, ...linked);
});

const visibilityOf = async (revision: number, creatorId = mia) => {
  const published = await visible.read(workspaceId, [revision]);
  const rule = await visible.ruleFor([creatorId]);
  return rule({ creatorId, eventId: eventIdAt(revision) }, published.get(revision));
};

const page = async () => (await service.queries.execute(new ListEvents(workspaceId, 10, undefined))).events;

it('shows the bytes of an event of a creator that the agency can see', async () => {
  await publishAt(service.log, 0, 'bytes');
  expect(await visibilityOf(0)).toEqual({ kind: 'visible', bytes: 'bytes' });
  expect(await page()).toEqual(['bytes']);
});

it('D77: an event of a missing creator is hidden until the creator returns', async () => {
  await publishAt(service.log, 0, 'bytes');
  await service.creatorDid(mia, fact('memberNotFound', {}));
  expect(await visibilityOf(0)).toEqual({ kind: 'missing', since: service.clock.now() });
  expect(await page()).toEqual([]);
  await service.creatorDid(mia, fact('memberFound', {}));
  expect(await visibilityOf(0)).toMatchObject({ kind: 'visible' });
});

it('an event is hidden for good when its creator has left, was erased, or is unknown', async () => {
  await publishAt(service.log, 0, 'bytes');
  await service.creatorDid(mia, fact('memberNotFound', {}), fact('membershipEnded', {}));
  expect(await visibilityOf(0)).toEqual({ kind: 'ended' });
  await service.creatorDid(mia, fact('personalDataErased', {}));
  expect(await visibilityOf(0)).toEqual({ kind: 'erased' });
  expect(await visibilityOf(0, derivedId('creator', 'nobody'))).toEqual({ kind: 'ended' });
  expect(await page()).toEqual([]);
});

it('D58: shows none of the bytes that have been erased', async () => {
  await publishAt(service.log, 0, ERASED);
  expect(await visibilityOf(0)).toEqual({ kind: 'erased' });
});

it('D72: reads the bytes again once it has forgotten them', async () => {
  await publishAt(service.log, 0, 'bytes');
  const reads = jest.spyOn(service.log, 'readStream');
  for (let repeat = 0; repeat < 2; repeat++) await visible.read(workspaceId, [0]);
  expect(reads).toHaveBeenCalledTimes(1);
  visible.forget();
  await visible.read(workspaceId, [0]);
  expect(reads).toHaveBeenCalledTimes(2);
});

it('D71: an event whose key is missing is unreadable, and the feed refuses the page', async () => {
  await publishAt(service.log, 0, ENCRYPTED);
  expect(await visibilityOf(0)).toMatchObject({ kind: 'unreadable' });
  await expect(page()).rejects.toBeInstanceOf(PersonalDataUnreadable);
});

it('says when a revision of the feed has no event, or another one', async () => {
  await publishAt(service.log, 0, 'bytes');
  await expect(visibilityOf(2)).rejects.toThrow('has lost');
  const rule = await visible.ruleFor([mia]);
  const published = await visible.read(workspaceId, [0]);
  const ref = { creatorId: mia, eventId: eventIdAt(2) };
  expect(() => rule(ref, published.get(0))).toThrow('has lost');
});
