import { expect, test } from '@jest/globals';
import { type EventMetadata, newEventId, newId } from '#kernel';
import { event, events, metadata } from './given-events.js';
import type { Opened } from './opened-event-log.js';

const TEXTS = [
  'plain',
  'Zoë, “quotes”, \\ and "',
  '日本語 العربية ไทย',
  '👩‍👩‍👧 𝔘𝔫𝔦',
  'line\nbreak\ttab\u0000nul\u2028',
  'é is not e\u0301',
  '',
];

export function roundTrips(opened: Opened, addsToMetadata: object): void {
  test('an event is returned with its position, and nothing else is added', async () => {
    const { log } = opened();
    const full: EventMetadata = {
      at: 1_767_225_600_123,
      correlationId: 'req_1',
      causationId: newEventId(),
      actor: `key:${newId('key')}`,
      workspaceId: newId('workspace'),
    };
    const one = { ...event({ a: [1, null, { b: -0.5 }], c: false, d: {}, e: [] }, 'thing.made.v2'), metadata: full };
    const { revision, position } = await log.append('thing-with-hyphens', 'none', [one]);
    const [stored] = await log.readStream('thing-with-hyphens');
    const metadata = { ...full, ...addsToMetadata };
    expect(stored).toEqual({ ...one, metadata, stream: 'thing-with-hyphens', revision, position });
    const page = await log.readLog({ after: 0, types: new Set(['thing.made.v2']) });
    expect(page.events.filter(({ id }) => id === one.id)).toEqual([stored]);
  });

  test('texts are returned unchanged', async () => {
    const { log } = opened();
    for (const [n, text] of TEXTS.entries()) {
      await log.append(`thing-${n}`, 'none', [event({ text, [text]: 1, list: [text] })]);
      expect(await log.readStream(`thing-${n}`)).toMatchObject([{ data: { text, [text]: 1, list: [text] } }]);
    }
  });

  test('numbers are returned unchanged', async () => {
    const { log } = opened();
    const numbers = [0, -1, 0.1, 1e21, 5e-324, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
    await log.append('thing-1', 'none', [event({ numbers })]);
    expect(await log.readStream('thing-1')).toMatchObject([{ data: { numbers } }]);
  });

  test('members named as those of an event stay what they are', async () => {
    const { log } = opened();
    const data = { id: 'x', type: 'y', stream: 'z', revision: 7, position: 8, data: { metadata: 9 }, metadata: [] };
    await log.append('thing-1', 'none', [event(data)]);
    expect((await log.readStream('thing-1'))[0]?.data).toEqual(data);
  });

  test('large bodies are returned completely', async () => {
    const { log } = opened();
    const texts = ['a', 'ü', '語', '𝔘'].map((letter) => letter.repeat(40_000));
    await log.append('thing-1', 'none', [event({ texts })]);
    expect(await log.readStream('thing-1')).toMatchObject([{ data: { texts } }]);
  });

  test('what the writer changes after the call is not stored', async () => {
    const { log } = opened();
    const data = { state: 'as appended', list: [1] };
    const own = { ...metadata };
    const some = [{ ...event(data), metadata: own }];
    const appending = log.append('thing-1', 'none', some);
    data.state = 'changed';
    data.list.push(2);
    Object.assign(own, { actor: 'operator:changed' });
    some.push({ ...event(), metadata: own });
    await appending;
    expect(await log.readStream('thing-1')).toMatchObject([{ data: { state: 'as appended', list: [1] }, metadata }]);
  });

  test('what a reader changes is not seen by another', async () => {
    const { log } = opened();
    await log.append('thing-1', 'none', events(1));
    for (const read of [
      () => log.readStream('thing-1'),
      async () => (await log.readLog({ after: 0, categories: new Set(['thing']) })).events,
    ]) {
      for (const stored of await read()) Object.assign(stored.data, { n: 'changed' });
      expect(await read()).toMatchObject([{ data: { n: 0 } }]);
    }
  });
}
