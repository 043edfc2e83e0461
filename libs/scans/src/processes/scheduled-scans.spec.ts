import { it } from '@jest/globals';
import type { CommandResult } from '@nestjs/cqrs';
import { DAY, type DueOutcome, SECOND } from '#kernel';
import { mia } from '../../../creators/src/domain/creator.fixtures.js';
import { givenDueItem } from '../../../testing/src/given-due-item.js';
import { contextOfRound } from '../../../testing/src/process-contexts.js';
import { QueueScheduledScan } from '../application/queue-scheduled-scan.js';
import { ScheduledScans } from './scheduled-scans.js';

const options = { scheduleEvery: DAY, pollEvery: 5 * SECOND, providerTimeout: 5 * SECOND };

it.each<[CommandResult<QueueScheduledScan>, DueOutcome]>([
  [{ outcome: 'postponed', until: 7_000 }, { retryAt: 7_000 }],
  [{ outcome: 'nothing_left' }, 'idle'],
])('a creator that is due has its scheduled scan queued; after %j it is %j', (result, outcome) =>
  givenDueItem((commands) => new ScheduledScans(commands, options), mia)
    .whenDue(result)
    .thenCommand(new QueueScheduledScan(mia, undefined, contextOfRound('scheduledScan')), outcome),
);
