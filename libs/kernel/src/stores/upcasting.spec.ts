import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { InMemoryEventLog } from '#testing';
import type { EventToAppend } from '../events/event.js';
import { newEventId } from '../ids.js';
import type { EventLog } from './event-log.js';
import { renamedTypes, type Upcaster, withUpcasters } from './upcasting.js';

/** v1 has one name, v2 has two, v3 has them in `personal`. */
const upcasters: Upcaster[] = [
  {
    from: 'person.named.v1',
    to: 'person.named.v2',
    upcast: (data) => {
      const [first, last] = String(Reflect.get(data, 'name')).split(' ');
      return { first, last };
    },
  },
  { from: 'person.named.v2', to: 'person.named.v3', upcast: (personal) => ({ personal }) },
];

const event = (type: string, data: object): EventToAppend => ({
  id: newEventId(),
  type,
  data,
  metadata: { at: 7, correlationId: 'c', causationId: null, actor: 'process:test', workspaceId: null },
});

const newest = new Set(['person.named.v3']);
const asV3 = (first: string, last: string) => ({ type: 'person.named.v3', data: { personal: { first, last } } });

let stored: EventLog;
let log: EventLog;

beforeEach(async () => {
  stored = new InMemoryEventLog();
  log = withUpcasters(stored, upcasters);
  await log.append('person-1', 'none', [
    event('person.named.v1', { name: 'Ann Oak' }),
    event('person.named.v2', { first: 'Bob', last: 'Elm' }),
    event('person.moved.v1', { to: 'Lyon' }),
    event('person.named.v3', { personal: { first: 'Cid', last: 'Ash' } }),
  ]);
});

const named = [asV3('Ann', 'Oak'), asV3('Bob', 'Elm'), asV3('Cid', 'Ash')];

describe('a reader', () => {
  it('of a stream gets the newest version of each event, whichever version is stored', async () => {
    const events = await log.readStream('person-1');
    expect(events).toMatchObject([named[0], named[1], { type: 'person.moved.v1', data: { to: 'Lyon' } }, named[2]]);
  });

  it('gets the rest of an event as it was recorded', async () => {
    const [before] = await stored.readStream('person-1');
    const [after] = await log.readStream('person-1');
    expect(after).toEqual({ ...before, ...named[0] });
  });

  it('of the log that filters by the newest version gets the older ones too, and no other events', async () => {
    const { events, reached, atEnd } = await log.readLog({ after: 0, types: newest });
    expect(events).toMatchObject(named);
    expect(events).toHaveLength(3);
    expect({ reached, atEnd }).toEqual({ reached: await stored.head(), atEnd: true });
  });

  it('that follows the log gets the older ones too', async () => {
    const over = new AbortController();
    for await (const { events } of log.follow({ after: 0, types: newest, signal: over.signal })) {
      expect(events).toMatchObject(named);
      over.abort();
    }
  });

  it('with another filter, or without one, gets the right events', async () => {
    expect((await log.readLog({ after: 0, types: new Set(['person.moved.v1']) })).events).toHaveLength(1);
    expect((await log.readLog({ after: 0 })).events).toHaveLength(4);
    expect((await log.readLog({ after: 0, types: new Set() })).events).toEqual([]);
  });
});

it('reads an event whose type was renamed under its new type, with the same data', async () => {
  const renamed = withUpcasters(stored, renamedTypes({ 'person.moved.v1': 'person.relocated.v1' }));
  const { events } = await renamed.readLog({ after: 0, types: new Set(['person.relocated.v1']) });
  expect(events).toMatchObject([{ type: 'person.relocated.v1', data: { to: 'Lyon' } }]);
});

it('asks for each page of a reader with the same set of types', async () => {
  const readLog = jest.spyOn(stored, 'readLog');
  for (const after of [0, 1]) await log.readLog({ after, types: newest });
  const [first, second] = readLog.mock.calls.map(([{ types }]) => types);
  expect(first).toEqual(new Set(['person.named.v1', 'person.named.v2', 'person.named.v3']));
  expect(second).toBe(first);
});
