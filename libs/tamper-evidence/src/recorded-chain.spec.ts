import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type EventToAppend, newEventId, type RecordedEvent } from '#kernel';
import { InMemoryEventLog } from '#testing';
import { withHashChain } from './hash-chain.js';
import { BrokenChain, RecordedChain } from './recorded-chain.js';

const eventOf = (data: object): EventToAppend => ({
  id: newEventId(),
  type: 'thing.happened.v1',
  data,
  metadata: { at: 1, correlationId: 'req_1', causationId: null, actor: 'key:test', workspaceId: null },
});

const recorded = async (...data: readonly object[]) => {
  const log = withHashChain(new InMemoryEventLog());
  await log.append('thing-1', 'none', data.map(eventOf));
  const { events } = await log.readLog({ after: 0 });
  return { log, events };
};

describe('the recorded chain', () => {
  it('computes the hash that each event has, for any data', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { minLength: 1, maxLength: 5 }),
        async (data) => {
          const { log, events } = await recorded(...data);
          const chain = new RecordedChain(log);
          for (const event of events) expect(await chain.hashOf(event)).toBe(event.metadata.hash);
        },
      ),
    );
  });

  it('starts in the middle of a stream with the hash that is there', async () => {
    const { log, events } = await recorded({ a: 1 }, { a: 2 }, { a: 3 });
    expect(await new RecordedChain(log).hashOf(events[2] as RecordedEvent)).toBe(events[2]?.metadata.hash);
  });

  const changes: [string, (event: RecordedEvent) => RecordedEvent][] = [
    ['its data', (event) => ({ ...event, data: { a: 4 } })],
    ['its type', (event) => ({ ...event, type: 'thing.undone.v1' })],
    ['its time', (event) => ({ ...event, metadata: { ...event.metadata, at: 2 } })],
    ['its place', (event) => ({ ...event, revision: 2 })],
    ['its hash', (event) => ({ ...event, metadata: { ...event.metadata, hash: 'B'.repeat(43) } })],
  ];
  it.each(changes)('refuses an event of which %s was changed', async (_, change) => {
    const { log, events } = await recorded({ a: 1 }, { a: 2 }, { a: 3 });
    await expect(new RecordedChain(log).hashOf(change(events[1] as RecordedEvent))).rejects.toThrow(BrokenChain);
  });
});
