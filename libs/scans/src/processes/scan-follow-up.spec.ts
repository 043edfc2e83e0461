import { expect, it } from '@jest/globals';
import type { CommandBus, CommandResult } from '@nestjs/cqrs';
import type { StepResult } from '#jobs';
import { DAY, type DueOutcome, derivedId, SECOND } from '#kernel';
import { RecordingCommandBus } from '../../../testing/src/buses.js';
import { givenDueItem } from '../../../testing/src/given-due-item.js';
import { contextOfProcess } from '../../../testing/src/process-contexts.js';
import { AdvanceScan } from '../application/advance-scan.js';
import { EndSetAsideScan } from '../application/end-set-aside-scan.js';
import { ScanFollowUp } from './scan-follow-up.js';

const scanId = derivedId('scan', 'one');
const options = { scheduleEvery: DAY, pollEvery: 5 * SECOND, providerTimeout: 5 * SECOND };
const followUp = (commands: CommandBus) => new ScanFollowUp(commands, options);

it.each<[CommandResult<AdvanceScan>, DueOutcome]>([
  [{ outcome: 'advanced' }, 'done'],
  [{ outcome: 'postponed', until: 7_000 }, { retryAt: 7_000 }],
  [{ outcome: 'nothing_left' }, 'idle'],
])('a scan that is due is advanced; after %j it is %j', (result, outcome) =>
  givenDueItem(followUp, scanId)
    .whenDue(result)
    .thenCommand(new AdvanceScan(scanId, contextOfProcess('scan')), outcome),
);

it('keeps its claim for as long as it takes', () => {
  expect(followUp(new RecordingCommandBus()).ttl).toBe(Number.POSITIVE_INFINITY);
});

it('what was set aside is ended, so that it does not block its creator (D87)', () =>
  givenDueItem(followUp, scanId)
    .whenSetAside<StepResult>({ outcome: 'postponed', until: 7_000 })
    .thenCommand(new EndSetAsideScan(scanId, contextOfProcess('scan')), { retryAt: 7_000 }));
