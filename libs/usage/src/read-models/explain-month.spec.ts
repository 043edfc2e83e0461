import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type CreatorId,
  DAY,
  derivedId,
  HOUR,
  type Instant,
  LiveCollections,
  MINUTE,
  Progress,
  type RecordedEvent,
  streamName,
} from '#kernel';
import { DASHBOARD_READ_MODELS, ProjectionEngine } from '#projections';
import { type TestedContext, testedContext } from '../../../testing/src/tested-context.js';
import { type Month, spanOf } from '../domain/month.js';
import { explainUsage } from '../domain/usage-explanation.js';
import {
  METERING,
  startMetering,
  stopMetering,
  type UsageMeterEvent,
  usageMeterDecider,
} from '../domain/usage-meter.js';
import { UsageModule } from '../usage.module.js';
import { ExplainCreators } from './explain-creators.js';
import { ExplainMonth } from './explain-month.js';
import { usageIntervalsProjection } from './usage-intervals.js';

const workspaceId = derivedId('workspace', 'lumen');
const at = (text: string) => Date.parse(text);
const creatorOf = (name: string): CreatorId => derivedId('creator', name);

interface Interval {
  readonly creator: string;
  readonly from: Instant;
  readonly to: Instant | null;
}

let service: TestedContext;
let position: number;

beforeEach(async () => {
  service = await testedContext([UsageModule]);
  service.clock.set(at('2027-03-10T00:00:00Z'));
  for (const runner of [METERING, DASHBOARD_READ_MODELS]) {
    service.get(Progress).report(runner, await service.log.head());
  }
  position = 0;
});

/** What the meter records of the intervals. */
const metered = (intervals: readonly Interval[]): RecordedEvent<UsageMeterEvent>[] => {
  const states = new Map<string, typeof usageMeterDecider.initial>();
  const recorded: RecordedEvent<UsageMeterEvent>[] = [];
  let revision = 0;
  for (const { creator, from, to } of intervals) {
    const change = { creatorId: creatorOf(creator), workspaceId };
    const switches = [
      { decide: startMetering, when: from },
      ...(to === null ? [] : [{ decide: stopMetering, when: to }]),
    ];
    for (const { decide, when } of switches) {
      const before = states.get(creator) ?? usageMeterDecider.initial;
      const cause = { eventId: `e${revision}`, revision: revision++ };
      for (const event of decide(before, { ...change, cause }, when)) {
        states.set(creator, usageMeterDecider.evolve(before, event, when));
        const metadata = { at: when, correlationId: 'req', causationId: null, actor: 'process:metering', workspaceId };
        position++;
        const stream = streamName('usageMeter', change.creatorId);
        recorded.push({ ...event, id: `m${position}`, stream, revision, position, metadata });
      }
    }
  }
  return recorded;
};

const given = async (...intervals: readonly Interval[]): Promise<void> => {
  const { documents, get } = service;
  const collection = await get(LiveCollections).of(usageIntervalsProjection);
  const engine = new ProjectionEngine([{ projection: usageIntervalsProjection, collection }]);
  await documents.write(await engine.project(documents, metered(intervals)));
};

const explained = async (month?: string) =>
  (await service.queries.execute(new ExplainMonth(workspaceId, month as Month | undefined))).explanation;

/** The creators of a month, in pages of that size. */
const pageByPage = async (month: Month, limit: number) => {
  const creators = [];
  for (let after: string | undefined; ; ) {
    const page = await service.queries.execute(new ExplainCreators(workspaceId, month, { limit, after }));
    creators.push(...page.creators);
    if (page.next === null) return creators;
    expect(page.creators).toHaveLength(limit);
    after = page.next;
  }
};

describe('what a month consists of (D44)', () => {
  it('has an interval that lasts since an earlier month, up to now', async () => {
    await given({ creator: 'mia', from: at('2027-01-20T00:00:00Z'), to: null });
    expect(await explained()).toMatchObject({
      month: '2027-03',
      active: 9 * DAY,
      creators: [{ creatorId: creatorOf('mia') }],
    });
    expect((await explained('2027-02'))?.active).toBe(28 * DAY);
  });

  it('divides an interval at the border of two months', async () => {
    await given({ creator: 'mia', from: at('2027-01-31T22:00:00Z'), to: at('2027-02-01T03:00:00Z') });
    expect((await explained('2027-01'))?.active).toBe(2 * HOUR);
    expect(await explained('2027-02')).toMatchObject({ active: 3 * HOUR, creators: [{ active: 3 * HOUR }] });
  });

  it('D93: leaves out time that has not passed, where a clock was ahead', async () => {
    await given({ creator: 'mia', from: at('2027-03-09T23:00:00Z'), to: at('2027-03-20T00:00:00Z') });
    expect((await explained())?.active).toBe(HOUR);
  });

  it('D81: leaves out a creator without any active time', async () => {
    await given({ creator: 'mia', from: at('2027-03-02T00:00:00Z'), to: at('2027-03-02T00:00:00Z') });
    expect(await explained()).toMatchObject({ active: 0, creators: [] });
  });

  it('refuses a month that has not begun', async () => {
    await given();
    await expect(explained('2027-04')).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('is exactly what the intervals themselves yield, by day and by creator', async () => {
    const history = fc.array(
      fc.record({
        creator: fc.constantFrom('mia', 'ivy', 'noa'),
        pause: fc.integer({ min: 0, max: 9 * DAY }),
        length: fc.integer({ min: 0, max: 40 * DAY }),
      }),
      { maxLength: 20 },
    );
    await fc.assert(
      fc.asyncProperty(history, fc.constantFrom('2027-01', '2027-02', '2027-03'), async (steps, name) => {
        const month = name as Month;
        const ends = new Map<string, Instant>();
        const intervals = steps.map(({ creator, pause, length }) => {
          const from = (ends.get(creator) ?? at('2026-12-20T00:00:00Z')) + pause + 1;
          ends.set(creator, from + length);
          return { creator, from, to: from + length };
        });
        await service.loseDocuments();
        await given(...intervals);
        const through = Math.min(service.clock.now(), spanOf(month).end);
        const expected = explainUsage(
          month,
          through,
          intervals.map(({ creator, from, to }) => ({
            creatorId: creatorOf(creator),
            opened: { at: from },
            closed: { at: to },
          })),
        );
        expect(await explained(month)).toEqual(expected);
        expect(await pageByPage(month, 2)).toEqual(expected.creators);
      }),
      { numRuns: 60 },
    );
  });

  it('has its creators page by page where it has more intervals than are read in one step', async () => {
    const names = Array.from({ length: 300 }, (_, n) => `c${n}`);
    const start = at('2027-02-01T00:00:00Z');
    const intervals = names.flatMap((creator, n) =>
      // The first one has more of them than a step reads.
      Array.from({ length: n === 0 ? 2_100 : 10 }, (_, k) => ({
        creator,
        from: start + 2 * k * MINUTE,
        to: start + (2 * k + 1) * MINUTE,
      })),
    );
    // Open since an earlier month.
    const lasting = names.map((creator) => ({ creator: `lasting-${creator}`, from: start - DAY, to: null }));
    await given(...intervals, ...lasting);
    const month = '2027-02' as Month;
    const creators = await pageByPage(month, 70);
    expect(creators).toHaveLength(600);
    expect(creators).toEqual((await explained(month))?.creators);
  });
});
