import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  Clock,
  DAY,
  type Document,
  derivedId,
  EventLog,
  HOUR,
  LanePositions,
  newEventId,
  type Position,
  type RangeQuery,
  SECOND,
} from '#kernel';
import { DeadLetterList, READ_MODELS } from '#projections';
import { FakeClock, InMemoryEventLog } from '#testing';
import { given } from '../../../testing/src/test-ports.module.js';
import { type TestedContext, testedContext } from '../../../testing/src/tested-context.js';
import { monthOf, spanOf } from '../domain/month.js';
import { METERING } from '../domain/usage-meter.js';
import { Metered, workspaceId } from '../metered.fixtures.js';
import { UsageModule } from '../usage.module.js';
import { GetUsage } from './get-usage.js';

/** Does something after its end was asked for. */
class WatchedLog extends InMemoryEventLog {
  afterHead = async (): Promise<void> => undefined;

  override async head() {
    const head = await super.head();
    await this.afterHead();
    return head;
  }
}

/** In the middle of a month. */
const NOON = Date.parse('2026-11-15T12:00:00Z');

let log: WatchedLog;
let clock: FakeClock;
let service: TestedContext;
let progress: LanePositions;
let meter: Metered;

beforeEach(async () => {
  [log, clock, meter] = [new WatchedLog(), new FakeClock(), new Metered()];
  clock.set(NOON);
  service = await testedContext([UsageModule], [given(EventLog, log), given(Clock, clock)]);
  progress = service.get(LanePositions);
  for (const follower of [METERING, READ_MODELS]) progress.report(follower, await log.head());
});

const usage = (workspace = workspaceId) => service.queries.execute(new GetUsage(workspace, undefined));

it('keeps workspaces apart', async () => {
  const [other, nobody] = [derivedId('workspace', 'other'), derivedId('workspace', 'nobody')];
  await meter
    .switch('mia', true, NOON - HOUR)
    .switch('ivy', true, NOON - 2 * HOUR, other)
    .show(service);
  expect(await usage()).toMatchObject({ active: HOUR, creators: 1 });
  expect(await usage(other)).toMatchObject({ active: 2 * HOUR, creators: 1 });
  expect(await usage(nobody)).toMatchObject({ active: 0, creators: 0 });
});

it('has the time of the whole month, if what is open stays open', async () => {
  await meter
    .interval('mia', NOON - 2 * HOUR, NOON - HOUR)
    .switch('ivy', true, NOON - HOUR)
    .show(service);
  const { end } = spanOf(monthOf(NOON));
  expect(await usage()).toMatchObject({ active: 2 * HOUR, activeAtEnd: HOUR + end - (NOON - HOUR) });
});

describe('figures that were metered by a process whose clock is ahead', () => {
  it.each([60, HOUR, 40 * DAY])('D44: count no time that has not passed, %d ms ahead', async (ahead) => {
    await meter
      .interval('mia', NOON - 2 * HOUR, NOON + ahead)
      .interval('ivy', NOON + ahead, null)
      .show(service);
    expect(await usage()).toMatchObject({ active: 2 * HOUR, creators: 1, through: NOON, isBehind: false });
  });

  it('are those of more intervals than are read in one step', async () => {
    for (let n = 0; n < 2_500; n++)
      meter.interval(`c${n % 700}`, NOON - HOUR + n * SECOND, NOON - HOUR + n * SECOND + 1);
    await meter.switch('ivy', true, NOON + 1).show(service);
    expect(await usage()).toMatchObject({ active: 2_500, creators: 700 });
  });

  it('have an interval that ends while they are read', async () => {
    await meter
      .switch('mia', true, NOON - 40 * DAY)
      .switch('ivy', true, NOON + HOUR)
      .show(service);
    const { documents } = service;
    const find = documents.findEntries.bind(documents);
    documents.findEntries = async <E extends Document>(collection: string, query: RangeQuery) => {
      documents.findEntries = find;
      const found = await find<E>(collection, query);
      await meter.switch('mia', false, NOON + 1).show(service);
      return found;
    };
    const { start } = spanOf(monthOf(NOON));
    expect(await usage()).toMatchObject({ active: NOON - start, creators: 1 });
  });
});

describe('what happened before the request', () => {
  /** The end of the log after one more event. */
  const append = async (): Promise<Position> => {
    const metadata = { at: NOON, correlationId: 'c', causationId: null, actor: 'test', workspaceId: null };
    const event = { id: newEventId(), type: 'tally.added.v1', data: {}, metadata };
    return (await log.append(`tally-${event.id}`, 'none', [event])).position;
  };

  it('is in the figures with what the meter appends after the request began', async () => {
    const end = await append();
    progress.report(METERING, end - 1);
    progress.report(READ_MODELS, end);
    log.afterHead = async () => {
      log.afterHead = async () => undefined;
      const meteredAt = await append();
      progress.report(METERING, end);
      setImmediate(async () => {
        await meter.switch('mia', true, NOON - HOUR).show(service);
        progress.report(READ_MODELS, meteredAt);
      });
    };
    expect(await usage()).toMatchObject({ active: HOUR, creators: 1, through: NOON, isBehind: false });
  });

  it('D44: is left out where the read models stay behind, and the figures end at their last event', async () => {
    await meter
      .switch('mia', true, NOON - 3 * HOUR)
      .switch('ivy', true, NOON - HOUR)
      .show(service);
    progress.report(READ_MODELS, (await append()) - 1);
    expect(await usage()).toMatchObject({ active: 2 * HOUR, creators: 1, through: NOON - HOUR, isBehind: true });
  });
});

it('D67: figures are refused if something is set aside directly after they were read', async () => {
  const { get } = service;
  let reads = 0;
  const find = service.documents.find.bind(service.documents);
  service.documents.find = (collection, query) => {
    reads += Number(collection.startsWith('usage_months'));
    return find(collection, query);
  };
  get(DeadLetterList).isComplete = async () => reads === 0;
  await expect(usage()).rejects.toMatchObject({ code: 'provider_unavailable' });
});
