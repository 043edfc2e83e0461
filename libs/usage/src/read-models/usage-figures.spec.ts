import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type CreatorId,
  DAY,
  derivedId,
  type Instant,
  type RecordedEvent,
  streamName,
  type WorkspaceId,
} from '#kernel';
import { LIVE_COLLECTIONS, ProjectionEngine, ReadModels, StoredLiveCollections } from '#projections';
import { InMemoryDocumentStore } from '#testing';
import { type Month, monthOf, spanOf } from '../domain/month.js';
import {
  startMetering,
  stopMetering,
  type UsageMeter,
  type UsageMeterEvent,
  usageMeterDecider,
} from '../domain/usage-meter.js';
import { UsageReader } from './usage-figures.js';
import { usageMonthsProjection } from './usage-months.js';
import { usageOpeningsProjection } from './usage-openings.js';

const workspaceId: WorkspaceId = derivedId('workspace', 'lumen');
const other: WorkspaceId = derivedId('workspace', 'other');
const at = (text: string) => Date.parse(text);

/** Meters switches as the process does, and projects what was metered. */
class Metered {
  private readonly store = new InMemoryDocumentStore();
  private readonly meters = new Map<CreatorId, { state: UsageMeter; revision: number }>();
  private readonly events: RecordedEvent<UsageMeterEvent>[] = [];
  private recorded = 0;
  readonly reader: UsageReader;

  constructor() {
    this.reader = new UsageReader(new ReadModels(this.store, new StoredLiveCollections(this.store)));
  }

  switch(creator: string, on: boolean, instant: Instant, workspace = workspaceId, meteredAt = instant): this {
    const creatorId: CreatorId = derivedId('creator', creator);
    const meter = this.meters.get(creatorId) ?? { state: usageMeterDecider.initial, revision: 0 };
    const cause = { eventId: `${creator}-${meter.revision}`, revision: meter.revision };
    const decide = on ? startMetering : stopMetering;
    for (const event of decide(meter.state, { creatorId, workspaceId: workspace, cause }, instant)) {
      meter.state = usageMeterDecider.evolve(meter.state, event, instant);
      const position = ++this.recorded;
      const by = { correlationId: '', causationId: null, actor: 'test', workspaceId: workspace };
      const metadata = { at: meteredAt, ...by };
      const stream = streamName('usageMeter', creatorId);
      this.events.push({ ...event, id: `${position}`, stream, revision: meter.revision, position, metadata });
    }
    this.meters.set(creatorId, { ...meter, revision: meter.revision + 1 });
    return this;
  }

  async figures(month: string, through: Instant, workspace = workspaceId) {
    await this.show();
    return this.reader.figures(workspace, month as Month, through);
  }

  /** Projects what has been metered after the next document, or the next range of them, was read. */
  showAfterNextRead(): void {
    const { store } = this;
    const [get, find] = [store.get.bind(store), store.find.bind(store)];
    const later = async <Read>(read: Promise<Read>): Promise<Read> => {
      [store.get, store.find] = [get, find];
      const result = await read;
      await this.show();
      return result;
    };
    store.get = (...request) => later(get(...request));
    store.find = (...request) => later(find(...request));
  }

  async show(): Promise<void> {
    await this.store.ensure([LIVE_COLLECTIONS]);
    const live = new StoredLiveCollections(this.store);
    const targets = await Promise.all(
      [usageMonthsProjection, usageOpeningsProjection].map(async (projection) => ({
        projection,
        collection: await live.of(projection),
      })),
    );
    await this.store.ensure(
      targets.map(({ projection, collection }) => ({ name: collection, indexes: projection.indexes })),
    );
    await this.store.write(await new ProjectionEngine(targets).project(this.store, this.events.splice(0)));
  }
}

describe('usage figures', () => {
  it('D44: are zero for months before the account', async () => {
    expect(await new Metered().figures('2026-11', at('2026-11-10T00:00:00Z'))).toEqual({
      active: 0,
      creators: 0,
      metered: 0,
    });
  });

  it('count closed and open intervals up to the moment asked for', async () => {
    const metered = new Metered()
      .switch('mia', true, at('2026-11-01T00:00:00Z'))
      .switch('mia', false, at('2026-11-02T00:00:00Z'))
      .switch('ivy', true, at('2026-11-03T00:00:00Z'));
    expect(await metered.figures('2026-11', at('2026-11-05T00:00:00Z'))).toEqual({
      active: 3 * DAY,
      creators: 2,
      metered: at('2026-11-03T00:00:00Z'),
    });
  });

  it('lose no interval that ends while they are read', async () => {
    const metered = new Metered().switch('mia', true, at('2026-11-01T00:00:00Z'));
    await metered.show();
    const { reader } = metered;
    // So that the collections' names are known, and the next read is one of figures.
    await reader.figures(workspaceId, '2026-11' as Month, at('2026-11-02T00:00:00Z'));
    metered.switch('mia', false, at('2026-11-03T00:00:00Z'));
    metered.showAfterNextRead();
    const figures = await reader.figures(workspaceId, '2026-11' as Month, at('2026-11-03T00:00:00Z'));
    expect(figures).toMatchObject({ active: 2 * DAY, creators: 1 });
  });

  it.each([
    ['the first of its month', []],
    ['another', ['mia']],
  ])('are not reduced by an interval that begins while they are read: %s', async (_, before) => {
    const metered = new Metered();
    for (const creator of before) metered.switch(creator, true, at('2026-11-01T00:00:00Z'));
    const { reader } = metered;
    const read = () => reader.figures(workspaceId, '2026-11' as Month, at('2026-11-02T00:00:00Z'));
    await metered.show();
    // So that the collections' names are known, and the next read is one of figures.
    const figures = await read();
    metered.switch('ivy', true, at('2026-11-03T00:00:00Z'));
    metered.showAfterNextRead();
    expect(await read()).toEqual(figures);
    expect(await read()).toMatchObject({ active: figures.active, creators: figures.creators });
  });

  it('D44: clip intervals to the month, also those that are open over its end', async () => {
    const metered = new Metered().switch('mia', true, at('2026-10-31T00:00:00Z'));
    expect(await metered.figures('2026-10', at('2026-11-01T00:00:00Z'))).toMatchObject({ active: DAY, creators: 1 });
    expect(await metered.figures('2026-11', at('2026-11-02T00:00:00Z'))).toMatchObject({ active: DAY, creators: 1 });
    expect(await metered.figures('2026-09', at('2026-10-01T00:00:00Z'))).toMatchObject({ active: 0, creators: 0 });
    metered.switch('mia', false, at('2026-12-02T00:00:00Z'));
    expect(await metered.figures('2026-11', at('2026-12-01T00:00:00Z'))).toMatchObject({
      active: 30 * DAY,
      creators: 1,
    });
  });

  it('count a creator once, however often it was switched', async () => {
    const metered = new Metered();
    for (let day = 1; day <= 5; day++) {
      metered
        .switch('mia', true, at(`2026-11-0${day}T00:00:00Z`))
        .switch('mia', false, at(`2026-11-0${day}T06:00:00Z`));
    }
    metered.switch('mia', true, at('2026-11-06T00:00:00Z'));
    expect(await metered.figures('2026-11', at('2026-11-06T18:00:00Z'))).toMatchObject({
      active: 2 * DAY,
      creators: 1,
    });
  });

  it('D44: do not count an interval of no length, closed or just begun', async () => {
    const now = at('2026-11-10T00:00:00Z');
    const metered = new Metered().switch('mia', true, now).switch('mia', false, now).switch('ivy', true, now);
    expect(await metered.figures('2026-11', now)).toMatchObject({ active: 0, creators: 0 });
    expect(await metered.figures('2026-11', now + 1)).toMatchObject({ active: 1, creators: 1 });
  });

  it('D81: count once a creator with time before the moment whose next interval begins at or after it', async () => {
    const [first, second, later] = ['01', '02', '05'].map((day) => at(`2026-11-${day}T00:00:00Z`));
    const metered = new Metered()
      .switch('mia', true, first ?? 0)
      .switch('mia', false, second ?? 0)
      .switch('mia', true, later ?? 0)
      .switch('ivy', true, later ?? 0);
    for (const moment of [later ?? 0, (later ?? 0) - DAY]) {
      expect(await metered.figures('2026-11', moment)).toMatchObject({ active: DAY, creators: 1 });
    }
    expect(await metered.figures('2026-11', (later ?? 0) + 1)).toMatchObject({ active: DAY + 2, creators: 2 });
  });

  it('D81: at the month’s beginning count no creator that is active since an earlier month', async () => {
    const start = at('2026-11-01T00:00:00Z');
    const metered = new Metered().switch('mia', true, start - DAY).switch('ivy', true, start);
    expect(await metered.figures('2026-11', start)).toMatchObject({ active: 0, creators: 0 });
    expect(await metered.figures('2026-11', start + 1)).toMatchObject({ active: 2, creators: 2 });
  });

  it('include the time of their latest event, also if a clock was set back before the meter or another creator recorded one', async () => {
    const [ten, twelve, noon] = ['T10:00:00Z', 'T12:00:00Z', 'T12:00:01Z'].map((time) => at(`2026-11-01${time}`));
    const metered = new Metered()
      .switch('mia', true, ten ?? 0)
      .switch('mia', false, noon ?? 0, workspaceId, ten)
      .switch('ivy', true, twelve ?? 0);
    expect(await metered.figures('2026-11', noon ?? 0)).toMatchObject({ metered: noon });
  });

  it('keep workspaces apart', async () => {
    const metered = new Metered().switch('mia', true, at('2026-11-01T00:00:00Z'), other);
    expect(await metered.figures('2026-11', at('2026-11-05T00:00:00Z'))).toMatchObject({ active: 0, creators: 0 });
    expect(await metered.figures('2026-11', at('2026-11-05T00:00:00Z'), other)).toMatchObject({ creators: 1 });
  });

  it('equal an independent calculation from the switches, over year ends and leap days', async () => {
    const switches = fc.array(
      fc.record({ creator: fc.constantFrom('mia', 'ivy', 'zoe'), on: fc.boolean(), wait: fc.nat(20 * DAY) }),
      { maxLength: 60, size: 'max' },
    );
    await fc.assert(
      fc.asyncProperty(switches, fc.nat(40 * DAY), async (all, later) => {
        const metered = new Metered();
        const intervals: { creator: string; from: Instant; to: Instant }[] = [];
        const open = new Map<string, Instant>();
        let now = at('2027-11-20T00:00:00Z');
        for (const { creator, on, wait } of all) {
          now += wait;
          metered.switch(creator, on, now);
          const from = open.get(creator);
          if (on && from === undefined) open.set(creator, now);
          if (!on && from !== undefined) {
            intervals.push({ creator, from, to: now });
            open.delete(creator);
          }
        }
        now += later;
        for (const [creator, from] of open) intervals.push({ creator, from, to: now });
        for (const month of ['2027-11', '2027-12', '2028-01', '2028-02', '2028-03', monthOf(now)]) {
          const { start, end } = spanOf(month as Month);
          const shares = intervals
            .map(({ creator, from, to }) => ({ creator, ms: Math.min(to, end) - Math.max(from, start) }))
            .filter(({ ms }) => ms > 0);
          const expected = {
            active: shares.reduce((sum, { ms }) => sum + ms, 0),
            creators: new Set(shares.map(({ creator }) => creator)).size,
          };
          if (start <= now) expect(await metered.figures(month, Math.min(now, end))).toMatchObject(expected);
        }
      }),
      { numRuns: 60 },
    );
  });
});
