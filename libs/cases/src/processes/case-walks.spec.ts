import { expect, it } from '@jest/globals';
import type { CommandBus, CommandResult } from '@nestjs/cqrs';
import { type DueOutcome, MINUTE } from '#kernel';
import { FakeClock } from '#testing';
import { mia } from '../../../creators/src/domain/creator.fixtures.js';
import { RecordingCommandBus } from '../../../testing/src/buses.js';
import { givenDueItem } from '../../../testing/src/given-due-item.js';
import { contextOfRound } from '../../../testing/src/process-contexts.js';
import { WalkMemberRecords } from '../application/walk-member-records.js';
import { CaseWalks } from './case-walks.js';

const ENDED_AT = 9_000;
const walks = (commands: CommandBus) =>
  new CaseWalks(commands, new FakeClock(ENDED_AT), { walkEvery: 15 * MINUTE, faviconTemplate: undefined });

it.each<[CommandResult<WalkMemberRecords>, DueOutcome]>([
  [{ outcome: 'walked' }, { retryAt: ENDED_AT + 15 * MINUTE }],
  [{ outcome: 'postponed', until: 7_000 }, { retryAt: 7_000 }],
  [{ outcome: 'nothing_left' }, 'idle'],
])('a creator that is due has its records walked; after %j it is %j', (result, outcome) =>
  givenDueItem(walks, mia)
    .whenDue(result)
    .thenCommand(new WalkMemberRecords(mia, contextOfRound('caseWalk')), outcome),
);

it('keeps its claim for as long as it takes', () => {
  expect(walks(new RecordingCommandBus()).ttl).toBe(Number.POSITIVE_INFINITY);
});
