import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { DAY, HOUR, type Instant, LanePositions, MINUTE, SECOND } from '#kernel';
import { DeadLetterList, READ_MODELS } from '#projections';
import { type TestedContext, testedContext } from '../../../testing/src/tested-context.js';
import { type Month, spanOf } from '../domain/month.js';
import { explainUsage } from '../domain/usage-explanation.js';
import { METERING } from '../domain/usage-meter.js';
import { creatorOf, Metered, workspaceId } from '../metered.fixtures.js';
import { UsageModule } from '../usage.module.js';
import { ExplainCreators, ExplainMonth } from './explain-usage.js';

const at = (text: string) => Date.parse(text);

interface Interval {
  readonly creator: string;
  readonly from: Instant;
  readonly to: Instant | null;
}

let service: TestedContext;

beforeEach(async () => {
  service = await testedContext([UsageModule]);
  service.clock.set(at('2027-03-10T00:00:00Z'));
  for (const follower of [METERING, READ_MODELS]) service.get(LanePositions).report(follower, await service.log.head());
});

const given = async (...intervals: readonly Interval[]): Promise<void> => {
  const meter = new Metered();
  for (const { creator, from, to } of intervals) meter.interval(creator, from, to);
  await meter.show(service);
};

/** The month with its creators, in pages of that size. */
const explained = async (asked?: string, limit = 1_000) => {
  const { usage, days } = await service.queries.execute(new ExplainMonth(workspaceId, asked as Month | undefined));
  const creators = [];
  for (let after: string | undefined; ; ) {
    const page = await service.queries.execute(new ExplainCreators(workspaceId, usage, { limit, after }));
    creators.push(...page.creators);
    if (page.next === null) break;
    expect(page.creators).toHaveLength(limit);
    after = page.next;
  }
  const { month, through, active, creators: count } = usage;
  expect(creators).toHaveLength(count);
  return { figures: { month, through, active, creators: count }, days, creators };
};

describe('what a month consists of (D44)', () => {
  it('D93: leaves out time that has not passed, where a clock was ahead', async () => {
    await given({ creator: 'mia', from: at('2027-03-09T23:00:00Z'), to: at('2027-03-20T00:00:00Z') });
    expect((await explained()).figures.active).toBe(HOUR);
  });

  it('D67: is refused if something is set aside directly after the intervals were read', async () => {
    let reads = 0;
    const findEntries = service.documents.findEntries.bind(service.documents);
    service.documents.findEntries = (collection, query) => {
      reads += Number(collection.startsWith('usage_intervals'));
      return findEntries(collection, query);
    };
    service.get(DeadLetterList).isComplete = async () => reads === 0;
    const month = '2027-03' as Month;
    const creators = new ExplainCreators(workspaceId, { month, through: service.clock.now() }, { limit: 1 });
    for (const query of [new ExplainMonth(workspaceId, month), creators]) {
      reads = 0;
      await expect(service.queries.execute(query)).rejects.toMatchObject({ code: 'provider_unavailable' });
    }
  });

  it.each([2_000, 4_500])(
    'D109: reads the %i intervals of one creator in parts, among those of others',
    async (count) => {
      const began = at('2027-02-01T00:00:00Z');
      const names = ['mia', 'ivy', 'noa'].toSorted((one, other) => creatorOf(one).localeCompare(creatorOf(other)));
      await given(
        ...names.flatMap((creator, n) =>
          Array.from({ length: n === 1 ? count : 2 }, (_, each) => {
            const from = began + each * MINUTE;
            return { creator, from, to: n === 1 && each === count - 1 ? null : from + SECOND };
          }),
        ),
      );
      const read = jest.spyOn(service.documents, 'findEntries');
      expect(await explained()).toMatchObject({
        figures: { active: 9 * DAY },
        creators: [{ creatorId: creatorOf(names[1] ?? '') }],
      });
      const lasting = at('2027-03-01T00:00:00Z') - (began + (count - 1) * MINUTE);
      expect((await explained('2027-02')).figures).toMatchObject({
        active: (count - 1 + 4) * SECOND + lasting,
        creators: 3,
      });
      expect(Math.max(...read.mock.calls.map(([, { limit }]) => limit))).toBe(2_000);
    },
  );

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
        expect(await explained(month, 2)).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });
});
