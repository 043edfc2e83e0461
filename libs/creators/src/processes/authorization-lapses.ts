import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { roundContext } from '#jobs';
import { type CreatorId, type DueHandler, type DueOutcome, NO_TIME_LIMIT, type StoredDueItem } from '#kernel';
import { RecordAuthorizationLapse } from '../application/membership/record-authorization-lapse.js';

/** Records that a mandate's end has passed by the clock (D40). */
@Injectable()
export class AuthorizationLapses implements DueHandler {
  readonly kind = 'authorizationEnd';
  readonly concurrency = 8;
  readonly longestWait = NO_TIME_LIMIT;

  constructor(private readonly commands: CommandBus) {}

  async handle(item: StoredDueItem): Promise<DueOutcome> {
    await this.commands.execute(new RecordAuthorizationLapse(item.subject as CreatorId, roundContext(item)));
    return 'idle';
  }
}
