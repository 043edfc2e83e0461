import type { CreatorEvent } from '#creators';
import { reacting } from '#jobs';
import {
  type CommandRunner,
  type CreatorId,
  processContext,
  type RecordedEvent,
  streamId,
  type WorkspaceId,
} from '#kernel';
import { startMetering, stopMetering, usageMeterDecider } from '../domain/usage-meter.js';

export const METERING = 'metering';

/** Meters active time: an interval begins and ends with the protection event that caused it (D44). */
export const meteringProcess = (runner: CommandRunner) => {
  const meter = (decision: typeof startMetering) => async (event: RecordedEvent<CreatorEvent>) => {
    const { id, stream, revision, metadata } = event;
    if (metadata.workspaceId === null) return;
    const creatorId = streamId(stream) as CreatorId;
    const workspaceId: WorkspaceId = metadata.workspaceId;
    const context = processContext(METERING, workspaceId, { id, correlationId: metadata.correlationId });
    const about = { creatorId, workspaceId, cause: { eventId: id, revision } };
    await runner.run(usageMeterDecider, creatorId, context, (state) => decision(state, about, metadata.at));
  };
  return reacting<CreatorEvent>(METERING, {
    'creator.protectionActivated.v1': meter(startMetering),
    'creator.protectionPaused.v1': meter(stopMetering),
  });
};
