import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { CreatorEvent } from '#creators';
import { Reaction } from '#jobs';
import { type CreatorId, processContext, streamId } from '#kernel';
import { MeterProtection } from '../application/meter-protection.js';
import { type SwitchEvent, switchedAt } from '../domain/protection-intervals.js';
import { METERING } from '../domain/usage-meter.js';

/** Meters active time: an interval begins and ends with the protection event that caused it (D44). */
@Injectable()
export class Metering extends Reaction<CreatorEvent> {
  constructor(private readonly commands: CommandBus) {
    super(METERING, {
      'creator.protectionActivated.v1': (event) => this.meter(event, 'activated'),
      'creator.protectionPaused.v1': (event) => this.meter(event, 'paused'),
    });
  }

  private async meter(event: SwitchEvent, as: MeterProtection['as']): Promise<void> {
    const { id, stream, revision, metadata } = event;
    const { workspaceId, correlationId } = metadata;
    if (workspaceId === null) return;
    const context = processContext(METERING, workspaceId, { id, correlationId });
    const change = { creatorId: streamId(stream) as CreatorId, workspaceId, cause: { eventId: id, revision } };
    await this.commands.execute(new MeterProtection(change, as, switchedAt(event), context));
  }
}
