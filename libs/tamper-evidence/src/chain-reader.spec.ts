import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type EventToAppend, newEventId, type RecordedEvent } from '#kernel';
import { InMemoryEventLog } from '#testing';
import { asStored, ChainReader, storedForm } from './chain-reader.js';
import { withHashChain } from './hash-chain.js';

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
  const chain = new ChainReader(asStored(log));
  return { events, chain, read: (event: RecordedEvent) => chain.read(storedForm(event)) };
};

describe('the chain of a running log', () => {
  it('computes the hash that each event has, for any data', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { minLength: 1, maxLength: 5 }),
        async (data) => {
          const { events, read } = await recorded(...data);
          for (const event of events) {
            expect(await read(event)).toEqual({ hash: event.metadata.hash, isCovered: true, finding: undefined });
          }
        },
      ),
    );
  });

  it('starts in the middle of a stream with the hash that is there', async () => {
    const { events, read } = await recorded({ a: 1 }, { a: 2 }, { a: 3 });
    const [, , third] = events as [RecordedEvent, RecordedEvent, RecordedEvent];
    expect(await read(third)).toMatchObject({ hash: third.metadata.hash, isCovered: true });
  });

  const changes: [string, (event: RecordedEvent) => RecordedEvent][] = [
    ['its data', (event) => ({ ...event, data: { a: 4 } })],
    ['its type', (event) => ({ ...event, type: 'thing.undone.v1' })],
    ['its time', (event) => ({ ...event, metadata: { ...event.metadata, at: 2 } })],
    ['its place', (event) => ({ ...event, revision: 2 })],
    ['its hash', (event) => ({ ...event, metadata: { ...event.metadata, hash: 'B'.repeat(43) } })],
  ];
  it.each(changes)('refuses an event of which %s was changed', async (_, change) => {
    const { events, read } = await recorded({ a: 1 }, { a: 2 }, { a: 3 });
    expect(await read(change(events[1] as RecordedEvent))).toMatchObject({ isCovered: false });
  });

  it('reports a time before that of the event before, which its hash covers all the same', async () => {
    const log = withHashChain(new InMemoryEventLog());
    const [first, second] = [eventOf({}), eventOf({})];
    await log.append('thing-1', 'none', [{ ...first, metadata: { ...first.metadata, at: 2 } }, second]);
    const chain = new ChainReader(asStored(log));
    const readings = [];
    for (const event of (await log.readLog({ after: 0 })).events) readings.push(await chain.read(storedForm(event)));
    expect(readings).toMatchObject([{ finding: undefined }, { isCovered: true, finding: { kind: 'changed' } }]);
  });

  it('reads a log again from an earlier event on only after a new start', async () => {
    const { events, read, chain } = await recorded({ a: 1 }, { a: 2 });
    const [first] = events as [RecordedEvent, RecordedEvent];
    for (const event of events) await read(event);
    expect(await read(first)).toMatchObject({ isCovered: false, finding: { kind: 'reordered' } });
    chain.startAgain();
    expect(await read(first)).toMatchObject({ isCovered: true, finding: undefined });
  });
});
