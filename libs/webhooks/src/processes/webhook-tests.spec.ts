import { it } from '@jest/globals';
import type { CommandResult } from '@nestjs/cqrs';
import type { DueOutcome } from '#kernel';
import { givenDueItem } from '../../../testing/src/given-due-item.js';
import { contextOfProcess } from '../../../testing/src/process-contexts.js';
import { SendPing } from '../application/send-ping.js';
import { endpointId } from '../webhook.fixtures.js';
import { WebhookTests } from './webhook-tests.js';

it.each<[CommandResult<SendPing>, DueOutcome]>([
  [{ outcome: 'advanced' }, 'done'],
  [{ outcome: 'nothing_left' }, 'idle'],
])('the test of an endpoint that is due has its ping sent; after %j it is %j', (result, outcome) =>
  givenDueItem((commands) => new WebhookTests(commands), endpointId)
    .whenDue(result)
    .thenCommand(new SendPing(endpointId, contextOfProcess('webhookTest')), outcome),
);
