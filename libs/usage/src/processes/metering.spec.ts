import { beforeEach, expect, it } from '@jest/globals';
import { streamName } from '#kernel';
import { activated, activationRequested, fact, mia, paused } from '../../../creators/src/domain/creator.fixtures.js';
import { contextOfProcess } from '../../../testing/src/process-contexts.js';
import { contextOf, type TestedContext, testedContext } from '../../../testing/src/tested-context.js';
import { UsageModule } from '../usage.module.js';
import { Metering } from './metering.js';

let service: TestedContext;

beforeEach(async () => {
  service = await testedContext([UsageModule]);
});

const meter = () => service.show(service.get(Metering));
const metered = () => service.log.readStream(streamName('usageMeter', mia));

it('records the interval from the activation to the pause, with its causes, once (D44)', async () => {
  const from = service.clock.now();
  await service.creatorDid(mia, activationRequested, activated, fact('membershipEnded', {}));
  service.clock.advance(1_000);
  await service.creatorDid(mia, paused);
  const [, start, , stop] = await service.log.readStream(streamName('creator', mia));
  service.clock.advance(1_000);
  await meter();
  await meter();
  const { workspaceId } = contextOf();
  // The runner's name is stored.
  const { actor } = contextOfProcess('metering');
  expect(await metered()).toMatchObject([
    {
      type: 'usageMeter.meteringStarted.v1',
      data: { creatorId: mia, workspaceId, cause: { eventId: start?.id, revision: 1 }, from },
      metadata: { workspaceId, actor, causationId: start?.id, correlationId: 'req_1' },
    },
    {
      type: 'usageMeter.meteringStopped.v1',
      data: { creatorId: mia, workspaceId, cause: { eventId: stop?.id, revision: 3 }, from, to: from + 1_000 },
      metadata: { workspaceId, actor, causationId: stop?.id, correlationId: 'req_1' },
    },
  ]);
});

it('records nothing without a workspace', async () => {
  await service.creatorDid(mia, activated, paused);
  const { events, ...page } = await service.log.readLog({ after: 0 });
  const shown = events.map((event) => ({ ...event, metadata: { ...event.metadata, workspaceId: null } }));
  await service.get(Metering).handle({ ...page, events: shown });
  expect(await metered()).toEqual([]);
});
