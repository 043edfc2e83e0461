import { expect, it } from '@jest/globals';
import type { CommandBus, CommandResult } from '@nestjs/cqrs';
import { type DueOutcome, MINUTE } from '#kernel';
import { FakeClock } from '#testing';
import { RecordingCommandBus } from '../../../testing/src/buses.js';
import { givenDueItem } from '../../../testing/src/given-due-item.js';
import { contextOfRound } from '../../../testing/src/process-contexts.js';
import { SynchronizeRoster } from '../application/membership/synchronize-roster.js';
import { agency } from '../domain/creator.fixtures.js';
import { RosterSync } from './roster-sync.js';

const ENDED_AT = 9_000;
const options = { syncEvery: 5 * MINUTE, providerTimeout: 0 };
const sync = (commands: CommandBus) => new RosterSync(commands, new FakeClock(ENDED_AT), options);

it.each<[CommandResult<SynchronizeRoster>, DueOutcome]>([
  [{ outcome: 'synchronized' }, { retryAt: ENDED_AT + 5 * MINUTE }],
  [{ outcome: 'postponed', until: 7_000 }, { retryAt: 7_000 }],
])('a roster that is due is synchronized; after %j it is due again: %j', (result, outcome) =>
  givenDueItem(sync, agency)
    .whenDue(result)
    .thenCommand(new SynchronizeRoster(agency, contextOfRound('rosterSync')), outcome),
);

it('keeps its claim for as long as it takes', () => {
  expect(sync(new RecordingCommandBus()).ttl).toBe(Number.POSITIVE_INFINITY);
});
