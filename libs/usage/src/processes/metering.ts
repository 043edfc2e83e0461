import { Injectable } from '@nestjs/common';
import type { CreatorEvent } from '#creators';
import { Reaction } from '#jobs';
import { type CreatorId, processContext, type RecordedEvent, streamId } from '#kernel';
import { UsageMeterRepository } from '../application/usage-meter.repository.js';
import { METERING, startMetering, stopMetering } from '../domain/usage-meter.js';

/** Meters active time: an interval begins and ends with the protection event that caused it (D44). */
@Injectable()
export class Metering extends Reaction<CreatorEvent> {
  constructor(private readonly meters: UsageMeterRepository) {
    super(METERING, {
      'creator.protectionActivated.v1': (event) => this.meter(event, startMetering),
      'creator.protectionPaused.v1': (event) => this.meter(event, stopMetering),
    });
  }

  private async meter(event: RecordedEvent<CreatorEvent>, decision: typeof startMetering): Promise<void> {
    const { id, stream, revision, metadata } = event;
    const { workspaceId, correlationId, at } = metadata;
    if (workspaceId === null) return;
    const creatorId = streamId(stream) as CreatorId;
    const context = processContext(METERING, workspaceId, { id, correlationId });
    const about = { creatorId, workspaceId, cause: { eventId: id, revision } };
    await this.meters.update(creatorId, context, (state) => decision(state, about, at));
  }
}
