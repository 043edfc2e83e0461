import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { dueContext, dueOutcomeOf } from '#jobs';
import { type DueHandler, type DueOutcome, MINUTE, type StoredDueItem, type WebhookEndpointId } from '#kernel';
import { SendPing } from '../application/send-ping.js';

/** Sends the pings that operators have requested. */
@Injectable()
export class WebhookTests implements DueHandler {
  readonly kind = 'webhookTest';
  readonly concurrency = 4;
  readonly longestWait = MINUTE;

  constructor(private readonly commands: CommandBus) {}

  async handle(item: StoredDueItem): Promise<DueOutcome> {
    const command = new SendPing(item.subject as WebhookEndpointId, dueContext(item));
    return dueOutcomeOf(await this.commands.execute(command));
  }
}
