import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { dueContext, dueOutcomeOf } from '#jobs';
import type { CreatorId, DueHandler, DueOutcome, StoredDueItem } from '#kernel';
import { SettleSlot } from '../application/protection/settle-slot.js';

/** Settles what a crash, or an outcome that nobody knows, has left of a creator's slot (D42, D77). */
@Injectable()
export class SlotSettling implements DueHandler {
  readonly kind = 'slot';
  readonly concurrency = 4;

  constructor(private readonly commands: CommandBus) {}

  async handle(item: StoredDueItem): Promise<DueOutcome> {
    return dueOutcomeOf(await this.commands.execute(new SettleSlot(item.subject as CreatorId, dueContext(item))));
  }
}
