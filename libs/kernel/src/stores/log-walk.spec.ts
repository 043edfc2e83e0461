import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { InMemoryEventLog } from '#testing';
import { newEventId } from '../ids.js';
import { InterceptedLog } from './intercepted-log.fixtures.js';
import { newestEventsOfStream } from './log-walk.js';

const logWith = async (count: number) => {
  const log = new InMemoryEventLog();
  const metadata = { at: 1, correlationId: 'req_1', causationId: null, actor: 'key:test', workspaceId: null };
  const events = Array.from({ length: count }, () => ({ id: newEventId(), type: 'thing.done.v1', data: {}, metadata }));
  if (count > 0) await log.append('thing-1', 'none', events);
  return new InterceptedLog(log);
};

const walked = async (log: InterceptedLog, firstPage: number, end: number): Promise<number[]> => {
  const revisions: number[] = [];
  for await (const { revision } of newestEventsOfStream(log, 'thing-1', firstPage)) {
    revisions.push(revision);
    if (revision === end) break;
  }
  return revisions;
};

it('walks back through each event once, the newest first, with pages of any size', () =>
  fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 250 }), fc.integer({ min: 1, max: 100 }), async (count, firstPage) => {
      const all = Array.from({ length: count }, (_, revision) => revision).reverse();
      expect(await walked(await logWith(count), firstPage, 0)).toEqual(all);
    }),
    { numRuns: 30 },
  ));

it.each([
  ['the newest alone', 249, [undefined]],
  ['a few', 245, [undefined, 248]],
  ['all, in pages of at most 100', 0, [undefined, 248, 238, 138, 38]],
])('reads no further than it is asked for: %s', async (_, end, froms) => {
  const log = await logWith(250);
  await walked(log, 1, end);
  expect(log.reads.map(({ from }) => from)).toEqual(froms);
});
