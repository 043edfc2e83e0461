import { beforeEach, describe, expect, it } from '@jest/globals';
import type { LogConsumer } from '#jobs';
import { HOUR, type RecordedEvent, streamName } from '#kernel';
import { aService, type Service } from '../../../contexts/src/service.fixtures.js';
import { activated, activationRequested, active, mia, paused } from '../../../creators/src/domain/creator.fixtures.js';
import { commandBusOf } from '../../../testing/src/buses.js';
import { StartMeteringHandler } from '../application/start-metering.js';
import { StopMeteringHandler } from '../application/stop-metering.js';
import { UsageMeterRepository } from '../application/usage-meter.repository.js';
import type { UsageMeterEvent } from '../domain/usage-meter.js';
import { Metering } from './metering.js';

let service: Service;
let meters: UsageMeterRepository;
let metering: LogConsumer;
let since: number;

const newMetering = () => new Metering(commandBusOf(new StartMeteringHandler(meters), new StopMeteringHandler(meters)));

beforeEach(async () => {
  service = await aService();
  meters = new UsageMeterRepository(service.runner);
  metering = newMetering();
  since = service.clock.now();
  await service.creatorDid(mia, ...active);
});

const then = async (after: number, ...events: Parameters<Service['creatorDid']>[1][]) => {
  service.clock.set(since + after);
  await service.creatorDid(mia, ...events);
};
const metered = async () => {
  const events = (await service.log.readStream(streamName('usageMeter', mia))) as RecordedEvent<UsageMeterEvent>[];
  return events.map(({ type, data }) => [type.split('.')[1], data.from - since, 'to' in data ? data.to - since : null]);
};

describe('metering (D44)', () => {
  it('begins and ends with the protection event that caused it, however late the event is processed', async () => {
    await then(HOUR, paused);
    service.clock.advance(5 * HOUR);
    await service.show(metering);
    expect(await metered()).toEqual([
      ['meteringStarted', 0, null],
      ['meteringStopped', 0, HOUR],
    ]);
  });

  it('starts again with the next activation', async () => {
    await then(HOUR, paused);
    await then(3 * HOUR, activationRequested, activated);
    await service.show(metering);
    expect(await metered()).toHaveLength(3);
    expect((await meters.load(mia)).state.open?.from).toBe(since + 3 * HOUR);
  });

  it('names its cause', async () => {
    await service.show(metering);
    const cause = (await service.log.readStream(streamName('creator', mia))).at(-1);
    const [started] = await service.log.readStream(streamName('usageMeter', mia));
    expect(started?.metadata).toMatchObject({ causationId: cause?.id, actor: 'process:metering' });
    expect(started?.data).toMatchObject({ cause: { eventId: cause?.id, revision: cause?.revision } });
  });

  it.each([1, 2, 1_000])('records nothing more when it processes the log again, in pages of %i', async (limit) => {
    await then(HOUR, paused);
    await then(2 * HOUR, activationRequested, activated);
    await then(5 * HOUR, paused);
    await service.show(metering);
    const once = await metered();
    expect(once).toHaveLength(4);
    await service.show(metering, { limit });
    await service.show(newMetering(), { limit });
    expect(await metered()).toEqual(once);
  });

  it('continues after a crash between two events of one page', async () => {
    await then(HOUR, paused);
    const page = await service.log.readLog({ after: 0, types: metering.types });
    await metering.handle({ ...page, events: page.events.slice(0, 1) });
    await service.show(newMetering());
    expect(await metered()).toEqual([
      ['meteringStarted', 0, null],
      ['meteringStopped', 0, HOUR],
    ]);
  });
});
