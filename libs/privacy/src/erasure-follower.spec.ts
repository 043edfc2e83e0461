import { afterEach, beforeEach, expect, it } from '@jest/globals';
import {
  type CreatorId,
  derivedId,
  type EventLog,
  type LogTail,
  newEventId,
  StoreUnavailable,
  silentLogger,
  streamName,
} from '#kernel';
import { eventually, InMemoryEventLog } from '#testing';
import { ErasureFollower } from './erasure-follower.js';

const [mia, ivy] = [derivedId('creator', 'mia'), derivedId('creator', 'ivy')];
const AGAIN = 30;

let log: EventLog;
beforeEach(() => {
  log = new InMemoryEventLog();
});
afterEach(() => log.close());

const record = async (creatorId: CreatorId, type: string) => {
  const metadata = { at: 1, correlationId: '', causationId: null, actor: 'test', workspaceId: null };
  await log.append(streamName('creator', creatorId), 'any', [{ id: newEventId(), type, data: {}, metadata }]);
};

it('D72: a process forgets a creator that any process erases, and again when no key of it can be cached', async () => {
  await record(ivy, 'creator.personalDataErased.v1');
  let failures = 1;
  const failing: Pick<EventLog, 'follow' | 'head'> = {
    head: () => log.head(),
    follow: (options) => {
      if (failures-- > 0) throw new StoreUnavailable('down');
      return log.follow(options);
    },
  };
  const follower = new ErasureFollower(failing, AGAIN, silentLogger);
  const forgotten: CreatorId[] = [];
  follower.onErasure((creatorId) => forgotten.push(creatorId));
  follower.start();
  await record(ivy, 'creator.memberFound.v1');
  await eventually(() => failures < 0);
  await record(mia, 'creator.personalDataErased.v1');
  await eventually(() => forgotten.length === 2);
  // An interrupted erasure was finished later: until the key was gone, it could be read again.
  await record(mia, 'creator.personalKeyDestroyed.v1');
  await eventually(() => forgotten.length === 4);
  expect(forgotten).toEqual([mia, mia, mia, mia]);
  await follower.stop();
});

it('D72: a process has forgotten a creator when its tail reports that it has passed the erasure', () => {
  const watchers: Parameters<LogTail['watch']>[0][] = [];
  const tail: LogTail = { watch: (watcher) => void watchers.push(watcher), passesEnd: async () => true };
  const follower = new ErasureFollower({ head: log.head, follow: log.follow, tail }, AGAIN, silentLogger);
  const forgotten: CreatorId[] = [];
  follower.onErasure((creatorId) => forgotten.push(creatorId));
  const show = (type: string) => {
    for (const watcher of watchers) watcher({ stream: streamName('creator', mia), revision: 3, type });
  };
  show('creator.memberFound.v1');
  expect(forgotten).toEqual([]);
  show('creator.personalDataErased.v1');
  expect(forgotten).toEqual([mia]);
});
