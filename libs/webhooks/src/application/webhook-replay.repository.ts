import { Injectable } from '@nestjs/common';
import { CommandRunner, Repository, type WebhookEndpointId } from '#kernel';
import type { WebhookReplayEvent } from '../domain/webhook-replay.events.js';
import { type WebhookReplay, webhookReplayDecider } from '../domain/webhook-replay.js';

@Injectable()
export class WebhookReplayRepository extends Repository<WebhookReplay, WebhookReplayEvent, WebhookEndpointId> {
  constructor(runner: CommandRunner) {
    super(webhookReplayDecider, runner);
  }
}
