import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openSqliteEventLog } from '#event-log';
import { Caches, type EventLog, type EventToAppend, NO_EVENTS, newEventId, WrongExpectedRevision } from '#kernel';
import { InMemoryEventLog } from '#testing';
import { eventLogContract } from '../../event-log/src/contract/index.js';
import { temporaryLog } from '../../event-log/src/sqlite/testing/temporary-log.js';
import { InterceptedLog } from '../../kernel/src/stores/intercepted-log.fixtures.js';
import { hashEvent, NO_HASH } from './event-hash.js';
import { withHashChain } from './hash-chain.js';

const HASH = /^[A-Za-z0-9_-]{43}$/;

const openWith = (caches: Caches) => async () => {
  const { file, close } = await temporaryLog();
  const logs: EventLog[] = [];
  const open = () => {
    const log = withHashChain(openSqliteEventLog({ file, caches }), caches);
    logs.push(log);
    return log;
  };
  return {
    log: open(),
    reopen: async () => open(),
    close: async () => {
      await Promise.all(logs.map((log) => log.close()));
      await close();
    },
  };
};

const CONTRACT = { idsUniqueInLog: true, addsToMetadata: { hash: expect.stringMatching(HASH) } };

eventLogContract('the hash chain on an embedded log', openWith(Caches.ON), CONTRACT);
eventLogContract('the hash chain on an embedded log without caches', openWith(Caches.OFF), CONTRACT);

const metadata = { at: 7, correlationId: 'req_1', causationId: null, actor: 'key:test', workspaceId: null };
const event = (n = 0): EventToAppend => ({ id: newEventId(), type: 'thing.happened.v1', data: { n }, metadata });
const events = (count: number) => Array.from({ length: count }, (_, n) => event(n));

/** The hashes as anybody can make them from what a reader gets. */
const expectedHashes = async (log: EventLog, stream: `${string}-${string}`): Promise<string[]> => {
  let previous = NO_HASH;
  return (await log.readStream(stream)).map(({ id, type, data, revision, metadata: { hash: _, ...rest } }) => {
    const json = { data: JSON.stringify(data), metadata: JSON.stringify(rest) };
    previous = hashEvent({ id, type, json }, stream, revision, previous);
    return previous;
  });
};

const storedHashes = async (log: EventLog, stream: `${string}-${string}`) =>
  (await log.readStream(stream)).map((stored) => stored.metadata.hash);

describe('The hash chain', () => {
  let stored: InMemoryEventLog;
  let log: EventLog;
  /** Another process on the same log. */
  let elsewhere: EventLog;

  beforeEach(() => {
    stored = new InMemoryEventLog();
    log = withHashChain(stored);
    elsewhere = withHashChain(stored);
  });

  afterEach(() => stored.close());

  const isWhole = async (stream: `${string}-${string}`, length: number) => {
    const hashes = await storedHashes(stored, stream);
    expect(hashes).toHaveLength(length);
    expect(hashes).toEqual(await expectedHashes(stored, stream));
  };

  it('links each event to the one before in its stream, within an append and over several', async () => {
    await log.append('thing-1', 'none', events(3));
    await log.append('thing-2', 'none', events(1));
    await log.append('thing-1', 2, events(2));
    await isWhole('thing-1', 5);
    await isWhole('thing-2', 1);
  });

  it('continues after events of other writers, whether or not it has read them', async () => {
    await log.append('thing-1', 'none', events(1));
    await elsewhere.append('thing-1', 0, events(2));
    await log.append('thing-1', 2, events(1));
    await log.readStream('thing-1', { from: 3 });
    await elsewhere.append('thing-1', 3, events(1));
    await log.readStream('thing-1', { direction: 'backwards', limit: 1 });
    await log.append('thing-1', 4, events(1));
    await isWhole('thing-1', 6);
  });

  it('stays intact when several write the same stream concurrently', async () => {
    const write = async (through: EventLog) => {
      for (let done = 0; done < 20; ) {
        const [last] = await through.readStream('thing-1', { direction: 'backwards', limit: 1 });
        try {
          await through.append('thing-1', last?.revision ?? 'none', events(1 + (done % 3)));
          done++;
        } catch (error) {
          if (!(error instanceof WrongExpectedRevision)) throw error;
        }
      }
    };
    await Promise.all([log, log, elsewhere, withHashChain(stored)].map(write));
    const length = (await stored.readStream('thing-1')).length;
    expect(length).toBeGreaterThanOrEqual(80);
    await isWhole('thing-1', length);
  });

  it('stays unbroken if appends follow each other without waiting, and if some of them are refused', async () => {
    const verdicts = await Promise.allSettled([
      log.append('thing-1', 'none', events(2)),
      log.append('thing-1', 1, events(1)),
      log.append('thing-1', 1, events(1)),
      log.append('thing-1', 2, events(1)),
      log.append('thing-1', 'any', events(2)),
    ]);
    expect(verdicts.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
    await isWhole('thing-1', 6);
  });

  it('stays unbroken under any revision with several writers', async () => {
    await Promise.all([log, elsewhere].flatMap((one) => [1, 2, 3].map(() => one.append('thing-1', 'any', events(2)))));
    await isWhole('thing-1', 12);
  });

  it('gives a repeat the first result, and stays unbroken after it', async () => {
    const some = events(2);
    const first = await log.append('thing-1', 'none', some);
    await log.append('thing-1', 1, events(1));
    expect(await log.append('thing-1', 'none', some)).toEqual(first);
    expect(await elsewhere.append('thing-1', 'none', some)).toEqual(first);
    await log.append('thing-1', 2, events(1));
    await elsewhere.append('thing-1', 3, events(1));
    await isWhole('thing-1', 5);
  });

  it('stays unbroken if an answer was lost and the append is repeated', async () => {
    const unsure = new InterceptedLog(stored);
    const through = withHashChain(unsure);
    await through.append('thing-1', 'none', events(1));
    const some = events(2);
    unsure.afterAppend = async () => {
      unsure.afterAppend = async () => undefined;
      throw new Error('the answer is lost');
    };
    await expect(through.append('thing-1', 0, some)).rejects.toThrow('the answer is lost');
    expect(await through.append('thing-1', 0, some)).toMatchObject({ revision: 2 });
    await through.append('thing-1', 2, events(1));
    await isWhole('thing-1', 4);
  });

  it('reads nothing before an append to a stream that it has just seen', async () => {
    const witness = new InterceptedLog(stored);
    const through = withHashChain(witness);
    await through.append('thing-1', 'none', events(1));
    await through.append('thing-1', 0, events(1));
    await through.append('thing-1', 1, events(1));
    expect(witness.reads).toEqual([]);
  });

  it('does not keep the hash of an event that is copied', async () => {
    await log.append('thing-1', 'none', events(2));
    const copies = (await log.readStream('thing-1')).map((one) => ({ ...event(), metadata: one.metadata }));
    await log.append('thing-2', 'none', copies);
    await isWhole('thing-2', 2);
  });

  it('refuses a revision that the stream has not reached, and names the present one', async () => {
    await expect(log.append('thing-1', 4, events(1))).rejects.toMatchObject({ expected: 4, actual: NO_EVENTS });
    await log.append('thing-1', 'none', events(2));
    await expect(log.append('thing-1', 4, events(1))).rejects.toMatchObject({ expected: 4, actual: 1 });
  });

  it('refuses names with line breaks, because two events could have the same lines', async () => {
    await expect(log.append('thing-1\n', 'none', events(1))).rejects.toThrow('line break');
    await expect(log.append('thing-1', 'none', [{ ...event(), type: 'a\nb' }])).rejects.toThrow('line break');
    await expect(log.append('thing-1', 'none', [{ ...event(), id: 'a\nb' }])).rejects.toThrow('line break');
  });
});
