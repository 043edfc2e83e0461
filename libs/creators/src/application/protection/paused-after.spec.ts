import { beforeEach, expect, it } from '@jest/globals';
import { type EventToAppend, newEventId, newId, type ReadStream, type StreamName, streamName } from '#kernel';
import { InMemoryEventLog } from '#testing';
import { wasPausedAfter } from './change-protection.js';

const mia = newId('creator');
const stream = streamName('creator', mia);
let log: InMemoryEventLog;
let read: number;

class CountingLog extends InMemoryEventLog {
  override async readStream(name: StreamName, options: ReadStream = {}) {
    const events = await super.readStream(name, options);
    read += events.length;
    return events;
  }
}

const event = (type: string): EventToAppend => ({
  id: newEventId(),
  type,
  data: {},
  metadata: { at: 1, correlationId: 'c', causationId: null, actor: 'process:test', workspaceId: null },
});
const OBSERVED = 'creator.identityObserved.v1';
const PAUSED = 'creator.protectionPaused.v1';
const append = async (...types: string[]) => (await log.append(stream, 'any', types.map(event))).position;

beforeEach(() => {
  log = new CountingLog();
  read = 0;
});

it('finds a pause after the position, however many events followed it', async () => {
  const before = await append(OBSERVED);
  const paused = await append(PAUSED);
  for (let following = 0; following <= 40; following++) {
    expect([following, await wasPausedAfter(log, mia, before)]).toEqual([following, true]);
    expect([following, await wasPausedAfter(log, mia, paused)]).toEqual([following, false]);
    await append(OBSERVED);
  }
});

it('finds none in a stream without a pause, or without an event', async () => {
  expect(await wasPausedAfter(log, mia, 0)).toBe(false);
  await append(...Array.from({ length: 32 }, () => OBSERVED));
  expect(await wasPausedAfter(log, mia, 0)).toBe(false);
});

it('leaves the history before the position unread', async () => {
  await append(PAUSED, ...Array.from({ length: 200 }, () => OBSERVED));
  const position = await append(OBSERVED);
  await append(OBSERVED, OBSERVED);
  expect(await wasPausedAfter(log, mia, position)).toBe(false);
  expect(read).toBeLessThanOrEqual(16);
});
