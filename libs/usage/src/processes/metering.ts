import { Injectable } from '@nestjs/common';
import type { CreatorEvent } from '#creators';
import { Reaction } from '#jobs';
import { type CreatorId, processContext, repositoryOf, streamId } from '#kernel';
import { type SwitchEvent, switchedAt } from '../domain/protection-intervals.js';
import {
  METERING,
  startMetering,
  stopMetering,
  type UsageMeter,
  type UsageMeterEvent,
  usageMeterDecider,
} from '../domain/usage-meter.js';

export class UsageMeterRepository extends repositoryOf<UsageMeter, UsageMeterEvent, CreatorId>(usageMeterDecider) {}

@Injectable()
export class Metering extends Reaction<CreatorEvent> {
  constructor(private readonly meters: UsageMeterRepository) {
    super(METERING, {
      'creator.protectionActivated.v1': (event) => this.meter(event, startMetering),
      'creator.protectionPaused.v1': (event) => this.meter(event, stopMetering),
    });
  }

  private async meter(event: SwitchEvent, decide: typeof startMetering): Promise<void> {
    const { id, stream, revision, metadata } = event;
    const { workspaceId, correlationId } = metadata;
    if (workspaceId === null) return;
    const context = processContext(METERING, workspaceId, { id, correlationId });
    const creatorId = streamId(stream) as CreatorId;
    const change = { creatorId, workspaceId, cause: { eventId: id, revision } };
    await this.meters.update(creatorId, context, (meter) => decide(meter, change, switchedAt(event)));
  }
}
