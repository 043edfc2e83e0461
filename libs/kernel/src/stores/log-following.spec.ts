import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { eventually, InMemoryEventLog, RecordingLogger } from '#testing';
import { newEventId } from '../ids.js';
import { type EventLog, StoreUnavailable } from './event-log.js';
import { followLog } from './log-following.js';

let log: EventLog;
let stopping: AbortController;
let logger: RecordingLogger;
beforeEach(() => {
  log = new InMemoryEventLog();
  stopping = new AbortController();
  logger = new RecordingLogger();
});
afterEach(async () => {
  stopping.abort();
  await log.close();
});

const metadata = { at: 1, correlationId: 'req_1', causationId: null, actor: 'key:test', workspaceId: null };
const append = (type: string) => log.append('thing-1', 'any', [{ id: newEventId(), type, data: {}, metadata }]);

/** The log, of which each page ends the subscription, and whose first requests fail. */
const failing = (times: number): Pick<EventLog, 'head' | 'follow'> => {
  let failures = times;
  const fail = () => {
    if (failures-- > 0) throw new StoreUnavailable('down');
  };
  return {
    head: async () => {
      fail();
      return log.head();
    },
    async *follow(options) {
      fail();
      for await (const page of log.follow(options)) {
        yield page;
        throw new StoreUnavailable('the connection is lost');
      }
    },
  };
};

const followed = (from: Pick<EventLog, 'head' | 'follow'>, after?: number) => {
  const types: string[] = [];
  const options = {
    what: 'things',
    filter: {},
    signal: stopping.signal,
    logger,
    ...(after !== undefined && { after }),
  };
  const ended = followLog(from, options, ({ events }) => {
    types.push(...events.map(({ type }) => type));
  });
  return { types, ended };
};

it('continues after each failure behind the last page, and misses and repeats nothing', async () => {
  await append('first.v1');
  const { types, ended } = followed(failing(2), 0);
  await eventually(() => types.length === 1);
  await append('second.v1');
  await eventually(() => types.length === 2);
  await append('third.v1');
  await eventually(() => types.length === 3);
  expect(types).toEqual(['first.v1', 'second.v1', 'third.v1']);
  stopping.abort();
  await ended;
});

it('begins at the end that the log has when it first answers', async () => {
  await append('before.v1');
  let heads = 0;
  const head = async () => {
    const answer = await log.head();
    if (++heads === 2) return answer;
    await append('during.v1');
    throw new StoreUnavailable('down');
  };
  const { types } = followed({ head, follow: (options) => log.follow(options) });
  await eventually(() => heads === 2);
  await append('after.v1');
  await eventually(() => types.length > 0);
  expect(types).toEqual(['after.v1']);
  expect(logger.lines).toMatchObject([{ level: 'warn', message: 'could not follow things; trying again' }]);
});

it('ends when the log is closed', async () => {
  const { ended } = followed(log);
  await log.close();
  await ended;
});
