import { it } from '@jest/globals';
import type { CommandResult } from '@nestjs/cqrs';
import type { DueOutcome } from '#kernel';
import { givenDueItem } from '../../../testing/src/given-due-item.js';
import { contextOfProcess } from '../../../testing/src/process-contexts.js';
import { SettleSlot } from '../application/protection/settle-slot.js';
import { mia } from '../domain/creator.fixtures.js';
import { SlotSettling } from './slot-settling.js';

it.each<[CommandResult<SettleSlot>, DueOutcome]>([
  [{ outcome: 'postponed', until: 7_000 }, { retryAt: 7_000 }],
  [{ outcome: 'nothing_left' }, 'idle'],
])('a slot that is due is settled; after %j it is %j', (result, outcome) =>
  givenDueItem((commands) => new SlotSettling(commands), mia)
    .whenDue(result)
    .thenCommand(new SettleSlot(mia, contextOfProcess('slot')), outcome),
);
