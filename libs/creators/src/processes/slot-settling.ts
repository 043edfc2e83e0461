import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { dueContext, dueOutcomeOf } from '#jobs';
import { type CreatorId, type DueHandler, type DueOutcome, MINUTE, type StoredDueItem } from '#kernel';
import { SettleSlot } from '../application/protection/settle-slot.js';

/** Settles a creator's slot after a crash or an unknown outcome (D42, D77). */
@Injectable()
export class SlotSettling implements DueHandler {
  readonly kind = 'slot';
  readonly concurrency = 4;
  readonly longestWait = MINUTE;

  constructor(private readonly commands: CommandBus) {}

  async handle(item: StoredDueItem): Promise<DueOutcome> {
    return dueOutcomeOf(await this.commands.execute(new SettleSlot(item.subject as CreatorId, dueContext(item))));
  }
}
