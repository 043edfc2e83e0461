import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { InMemoryDocumentStore } from '#document-store';
import { InMemoryEventLog } from '#event-log';
import {
  type Document,
  type FillLane,
  fillHere,
  inLanes,
  type Lane,
  newEventId,
  type Projection,
  projection,
  Rebuild,
  type RebuildProgress,
  systemClock,
} from './index.js';
import { LIVE_COLLECTIONS, liveOnes } from './live-collections.js';

type Dealt = { readonly type: 'red.v1' | 'black.v1' | 'joker.v1'; readonly data: { readonly player: string } };

interface Hand extends Document {
  readonly cards: readonly number[];
}

const handsOf = (name: string, types: readonly Dealt['type'][]): Projection => {
  const dealt = {
    documents: ({ data }: { data: Dealt['data'] }) => data.player,
    // Each card once: what is missed or taken twice shows.
    fold: (hand: Hand | undefined, { revision }: { revision: number }, id: string): Hand => ({
      id,
      cards: [...(hand?.cards ?? []), revision].slice(-20),
    }),
  };
  const on = Object.fromEntries(types.map((type) => [type, dealt]));
  return projection<Hand, Dealt>({ name, version: 1, indexes: [], on }) as Projection;
};

const reds = handsOf('reds', ['red.v1', 'joker.v1']);
const blacks = handsOf('blacks', ['black.v1', 'joker.v1']);
const all = [reds, blacks];

const EVENTS = 30_000;
const TYPES = ['red.v1', 'black.v1', 'black.v1', 'joker.v1'] as const;

let log: InMemoryEventLog;
let store: InMemoryDocumentStore;

beforeEach(async () => {
  log = new InMemoryEventLog();
  store = new InMemoryDocumentStore();
  await store.ensure([LIVE_COLLECTIONS]);
  const metadata = { at: 1, correlationId: 'r', causationId: null, actor: 'test', workspaceId: null };
  for (let n = 0; n < EVENTS; n += 250) {
    const events = Array.from({ length: 250 }, (_, card) => ({
      id: newEventId(),
      type: TYPES[(n + card) % TYPES.length] ?? 'joker.v1',
      data: { player: `p${(n + card) % 997}` },
      metadata,
    }));
    await log.append(`deal-${n % 7}`, 'any', events);
  }
});

afterEach(() => log.close());

/** What a thread would do, in this one. */
const here: FillLane = (lane, _signal, onProgress) => fillHere(lane, all, log, store, onProgress);

const handsAfter = async (fillLane?: FillLane): Promise<(Hand | undefined)[][]> => {
  await new Rebuild('hands', log, store, systemClock, fillLane).run(all);
  const live = await liveOnes(store, all);
  const players = Array.from({ length: 997 }, (_, n) => `p${n}`);
  return Promise.all(
    all.map(async ({ name }) => {
      const collection = live.get(name)?.collection ?? '';
      return Promise.all(players.map((player) => store.get<Hand>(collection, player)));
    }),
  );
};

describe('a rebuild in lanes', () => {
  test('makes what one without makes', async () => {
    const lanes: Lane[] = [];
    const inLanes = await handsAfter((lane, signal, onProgress) => {
      lanes.push(lane);
      return here(lane, signal, onProgress);
    });
    expect(lanes.map(({ targets }) => targets.map((target) => target.projection))).toEqual([['reds'], ['blacks']]);
    expect(lanes.map(({ after, through }) => [after > 0, through])).toEqual([
      [true, await log.head()],
      [true, await log.head()],
    ]);
    expect(inLanes).toEqual(await handsAfter());
  });

  test('tells of each event once, though both have read it', async () => {
    const told: RebuildProgress[] = [];
    const rebuild = new Rebuild('hands', log, store, systemClock, here);
    await rebuild.run(all, { onProgress: (progress) => told.push(progress) });
    expect(told.at(-1)).toEqual({ events: EVENTS, share: 1 });
    const shares = told.map(({ share }) => share);
    expect(shares).toEqual(shares.toSorted((one, other) => one - other));
  });

  test('is not worth it for a few events', async () => {
    const few = new InMemoryEventLog();
    const never: FillLane = () => Promise.reject(new Error('a lane'));
    await new Rebuild('hands', few, store, systemClock, never).run(all);
    await few.close();
  });

  test('that fails breaks off the other, and leaves what is live', async () => {
    let other: AbortSignal | undefined;
    const failing: FillLane = ({ targets }, signal) => {
      if (targets[0]?.projection === 'reds') return Promise.reject(new Error('out of memory'));
      other = signal;
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    };
    await expect(handsAfter(failing)).rejects.toThrow('out of memory');
    expect(other?.aborted).toBe(true);
    expect(await liveOnes(store, all)).toEqual(new Map());
  });
});

describe('lanes', () => {
  const named = (name: string, ...types: Dealt['type'][]) => ({ projection: handsOf(name, types), collection: name });
  const names = (lanes: { collection: string }[][]) => lanes.map((lane) => lane.map(({ collection }) => collection));

  test('hold together what reads the same events, as long as none gets much longer', () => {
    const targets = [named('a', 'red.v1'), named('b', 'black.v1'), named('c', 'red.v1'), named('d', 'black.v1')];
    const seen = new Map([
      ['red.v1', 100],
      ['black.v1', 100],
    ]);
    expect(names(inLanes(targets, seen)).map((lane) => lane.join())).toEqual(['a,c', 'b,d']);
  });

  test('are one where there is one to fill, or nothing but one has events', () => {
    expect(names(inLanes([named('a', 'red.v1')], new Map([['red.v1', 5]])))).toEqual([['a']]);
    const seen = new Map([['red.v1', 5]]);
    expect(names(inLanes([named('a', 'red.v1'), named('b', 'black.v1')], seen))).toEqual([['a', 'b']]);
  });
});
