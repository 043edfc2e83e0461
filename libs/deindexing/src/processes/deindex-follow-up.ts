import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { dueContext, dueOutcomeOf } from '#jobs';
import { DAY, type DeindexRequestId, type DueHandler, type DueOutcome, type StoredDueItem } from '#kernel';
import { AdvanceDeindexRequest } from '../application/advance-deindex-request.js';
import { EndSetAsideDeindexRequest } from '../application/end-set-aside-deindex-request.js';

/** Advances each deindex request until it is finished (D51). */
@Injectable()
export class DeindexFollowUp implements DueHandler {
  readonly kind = 'deindex';
  readonly concurrency = 8;
  /** Old requests are looked up once a day. */
  readonly longestWait = DAY;

  constructor(private readonly commands: CommandBus) {}

  async handle(item: StoredDueItem): Promise<DueOutcome> {
    const command = new AdvanceDeindexRequest(item.subject as DeindexRequestId, dueContext(item));
    return dueOutcomeOf(await this.commands.execute(command));
  }

  async handleSetAside(item: StoredDueItem): Promise<DueOutcome> {
    const command = new EndSetAsideDeindexRequest(item.subject as DeindexRequestId, dueContext(item));
    return dueOutcomeOf(await this.commands.execute(command));
  }
}
