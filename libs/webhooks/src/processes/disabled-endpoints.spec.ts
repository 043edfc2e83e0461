import { expect, it } from '@jest/globals';
import type { CommandBus, CommandResult } from '@nestjs/cqrs';
import { type DueOutcome, MINUTE } from '#kernel';
import { RecordingCommandBus } from '../../../testing/src/buses.js';
import { givenDueItem } from '../../../testing/src/given-due-item.js';
import { contextOfProcess } from '../../../testing/src/process-contexts.js';
import { FailPendingDeliveries } from '../application/fail-pending-deliveries.js';
import { endpointId } from '../webhook.fixtures.js';
import { DisabledEndpoints } from './disabled-endpoints.js';

const disabledEndpoints = (commands: CommandBus) => new DisabledEndpoints(commands);

it.each<[CommandResult<FailPendingDeliveries>, DueOutcome]>([
  [{ outcome: 'advanced' }, 'done'],
  [{ outcome: 'postponed', until: 7_000 }, { retryAt: 7_000 }],
  [{ outcome: 'nothing_left' }, 'idle'],
])('a disabled endpoint that is due has its pending deliveries failed (D82); after %j it is %j', (result, outcome) =>
  givenDueItem(disabledEndpoints, endpointId)
    .whenDue(result)
    .thenCommand(new FailPendingDeliveries(endpointId, contextOfProcess('disabledEndpoint')), outcome),
);

it('keeps its claim for 10 minutes, as an endpoint may have very many deliveries', () => {
  expect(disabledEndpoints(new RecordingCommandBus()).ttl).toBe(10 * MINUTE);
});
