import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { hashSecret, type IssuedKey, keyIdOf, newKeySecret, workspaceOf } from '#agencies';
import { agencyId, type EventLog, newEventId, StoreUnavailable, silentLogger, streamName } from '#kernel';
import { eventually, InMemoryEventLog } from '#testing';
import { KeyFollower } from './key-follower.js';

const lumen = agencyId('agency_lumen');
const NEVER_NEEDED = 60_000;

let log: EventLog;
beforeEach(() => {
  log = new InMemoryEventLog();
});
afterEach(() => log.close());

const issue = async (): Promise<IssuedKey> => {
  const secretHash = hashSecret(newKeySecret());
  const keyId = keyIdOf(secretHash);
  const ids = { keyId, agencyId: lumen, workspaceId: workspaceOf(lumen) };
  const data = { ...ids, epoch: 1, name: null, scopes: [], expiresAt: null, secretHash };
  const metadata = { at: 1, correlationId: '', causationId: null, actor: 'test', workspaceId: null };
  const event = { id: newEventId(), type: 'apiKey.issued.v1', data, metadata };
  await log.append(streamName('apiKey', keyId), 'none', [event]);
  return data;
};

describe('a process that follows the keys', () => {
  it('D70: knows all keys of the log when it has started, and each new one', async () => {
    const before = await issue();
    const follower = new KeyFollower(log, silentLogger);
    await follower.start(NEVER_NEEDED);
    expect(follower.known.endOf(before.keyId)).toBeDefined();
    const after = await issue();
    await eventually(() => expect(follower.known.endOf(after.keyId)).toBeDefined());
    await follower.stop();
  });

  it('D70: continues after the log could not be read', async () => {
    let failures = 3;
    const follow = log.follow.bind(log);
    log.follow = (options) => {
      if (failures-- > 0) throw new StoreUnavailable('down');
      return follow(options);
    };
    const key = await issue();
    const follower = new KeyFollower(log, silentLogger);
    await follower.start(NEVER_NEEDED);
    expect(follower.known.endOf(key.keyId)).toBeDefined();
    await follower.stop();
  });

  it('D70: follows when the end of the log was not known in time, and could not be read at first', async () => {
    const { promise, reject } = Promise.withResolvers<number>();
    const head = log.head.bind(log);
    const heads = [() => promise];
    log.head = () => (heads.pop() ?? head)();
    const key = await issue();
    const follower = new KeyFollower(log, silentLogger);
    await follower.start(1);
    reject(new StoreUnavailable('down'));
    await eventually(() => expect(follower.known.endOf(key.keyId)).toBeDefined());
    await follower.stop();
  });

  it('D70: waits for all keys when the end of the log could not be read at first', async () => {
    const down = [new StoreUnavailable('down')];
    const head = log.head.bind(log);
    log.head = () => {
      const error = down.pop();
      return error === undefined ? head() : Promise.reject(error);
    };
    const key = await issue();
    const follower = new KeyFollower(log, silentLogger);
    await follower.start(NEVER_NEEDED);
    expect(follower.known.endOf(key.keyId)).toBeDefined();
    await follower.stop();
  });
});
