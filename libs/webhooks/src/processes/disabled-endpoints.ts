import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { dueContext, dueOutcomeOf } from '#jobs';
import { type DueHandler, type DueOutcome, MINUTE, type StoredDueItem, type WebhookEndpointId } from '#kernel';
import { FailPendingDeliveries } from '../application/fail-pending-deliveries.js';

/** Fails the pending deliveries of each endpoint that was disabled (D82). */
@Injectable()
export class DisabledEndpoints implements DueHandler {
  readonly kind = 'disabledEndpoint';
  readonly concurrency = 2;
  readonly longestWait = MINUTE;
  readonly ttl = 10 * MINUTE;

  constructor(private readonly commands: CommandBus) {}

  async handle(item: StoredDueItem): Promise<DueOutcome> {
    const command = new FailPendingDeliveries(item.subject as WebhookEndpointId, dueContext(item));
    return dueOutcomeOf(await this.commands.execute(command));
  }
}
