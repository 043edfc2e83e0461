import { beforeEach, expect, it } from '@jest/globals';
import type { ICommand } from '@nestjs/cqrs';
import { HOUR, type Revision, streamName } from '#kernel';
import { mia, workspaceId } from '../../../creators/src/domain/creator.fixtures.js';
import { contextOf, type TestedContext, testedContext } from '../../../testing/src/tested-context.js';
import { UsageModule } from '../usage.module.js';
import { MeterProtection } from './meter-protection.js';

let service: TestedContext;

beforeEach(async () => {
  service = await testedContext([UsageModule]);
  // Much later than what is metered.
  service.clock.advance(100 * HOUR);
});

const execute = (command: ICommand) => service.commands.execute(command);
const metered = () => service.log.readStream(streamName('usageMeter', mia));
const change = (revision: Revision) => ({
  creatorId: mia,
  workspaceId,
  cause: { eventId: `event-${revision}`, revision },
});
const activated = new MeterProtection(change(3), 'activated', HOUR, { ...contextOf(), causationId: 'event-3' });
const paused = new MeterProtection(change(4), 'paused', 2 * HOUR, { ...contextOf(), causationId: 'event-4' });

it('records the interval from the activation to the pause, with its causes, in the stream of the creator (D44)', async () => {
  await execute(activated);
  await execute(paused);
  expect(await metered()).toMatchObject([
    {
      type: 'usageMeter.meteringStarted.v1',
      data: { ...change(3), from: HOUR },
      metadata: { workspaceId, causationId: 'event-3' },
    },
    {
      type: 'usageMeter.meteringStopped.v1',
      data: { ...change(4), from: HOUR, to: 2 * HOUR },
      metadata: { workspaceId, causationId: 'event-4' },
    },
  ]);
});

it('records nothing more when the same is metered again', async () => {
  for (const command of [activated, activated, paused, activated, paused]) await execute(command);
  expect(await metered()).toHaveLength(2);
});
