import type { CreatorEvent } from '#creators';
import type { CreatorId, Instant, RecordedEvent, WorkspaceId } from '#kernel';
import { streamId } from '#kernel';

/** A switch of protection, and who asked for it. */
export interface Switch {
  readonly eventId: string;
  readonly at: Instant;
  /** `key:<key_id>`, `process:<name>` or `operator:<name>`. */
  readonly actor: string;
  /** The request, or the run of a process, that it was part of. */
  readonly requestId: string;
  readonly reason: string;
}

/** Active time of one creator: half-open, not clipped to any month. */
export interface ProtectionInterval {
  readonly creatorId: CreatorId;
  readonly opened: Switch;
  /** Null while it lasts. */
  readonly closed: Switch | null;
}

export const SWITCHES = ['creator.protectionActivated.v1', 'creator.protectionPaused.v1'] as const;
type SwitchEvent = RecordedEvent<Extract<CreatorEvent, { type: (typeof SWITCHES)[number] }>>;

/** The intervals of a workspace's creators, from the switches themselves: the meter is not asked. */
export const protectionIntervals = async (
  events: AsyncIterable<RecordedEvent>,
  workspaceId: WorkspaceId,
): Promise<readonly ProtectionInterval[]> => {
  const intervals: ProtectionInterval[] = [];
  const open = new Map<CreatorId, Switch>();
  for await (const event of events) {
    if (!isSwitch(event) || event.metadata.workspaceId !== workspaceId) continue;
    const creatorId = streamId(event.stream) as CreatorId;
    const opened = open.get(creatorId);
    if (event.type === 'creator.protectionActivated.v1') open.set(creatorId, opened ?? switchOf(event));
    else if (opened !== undefined) {
      intervals.push({ creatorId, opened, closed: switchOf(event) });
      open.delete(creatorId);
    }
  }
  return [...intervals, ...[...open].map(([creatorId, opened]) => ({ creatorId, opened, closed: null }))];
};

const isSwitch = (event: RecordedEvent): event is SwitchEvent => SWITCHES.some((type) => type === event.type);

const switchOf = ({ id, data, metadata }: SwitchEvent): Switch => ({
  eventId: id,
  at: metadata.at,
  actor: metadata.actor,
  requestId: metadata.correlationId,
  reason: data.reason,
});
