import type { CreatorEvent } from '#creators';
import { type CreatorId, type Instant, type RecordedEvent, type Revision, streamId, type WorkspaceId } from '#kernel';

export interface Switch {
  readonly eventId: string;
  readonly revision: Revision;
  readonly at: Instant;
  /** `key:<key_id>`, `process:<name>` or `operator:<name>`. */
  readonly actor: string;
  /** The request, or the run of a process, that it was part of. */
  readonly requestId: string;
  readonly reason: string;
}

export interface ProtectionInterval<End extends Pick<Switch, 'at'> = Switch> {
  readonly creatorId: CreatorId;
  readonly opened: End;
  readonly closed: End | null;
}

export const SWITCHES = ['creator.protectionActivated.v1', 'creator.protectionPaused.v1'] as const;
export type SwitchEvent = RecordedEvent<Extract<CreatorEvent, { type: (typeof SWITCHES)[number] }>>;

/**
 * The clock's time at the switch. The event of a pause bears a later time if an earlier event of its stream does, because
 * a clock was ahead (D44, D93).
 */
export const switchedAt = ({ data, metadata }: SwitchEvent): Instant =>
  Math.min(metadata.at, 'pausedAt' in data && data.pausedAt !== undefined ? data.pausedAt : metadata.at);

/** Computed from the switches themselves: the meter is not asked. With `asOf`, as they were at that time. */
export const protectionIntervals = async (
  events: AsyncIterable<RecordedEvent>,
  workspaceId: WorkspaceId,
  asOf: Instant = Number.POSITIVE_INFINITY,
): Promise<readonly ProtectionInterval[]> => {
  const intervals: ProtectionInterval[] = [];
  const open = new Map<CreatorId, Switch>();
  for await (const event of events) {
    if (!isSwitch(event) || event.metadata.workspaceId !== workspaceId) continue;
    const creatorId = streamId(event.stream) as CreatorId;
    const opened = open.get(creatorId);
    if (event.type === 'creator.protectionActivated.v1') open.set(creatorId, opened ?? switchOf(event));
    else if (opened !== undefined) {
      const closed = switchOf(event);
      intervals.push({ creatorId, opened, closed: { ...closed, at: Math.max(opened.at, closed.at) } });
      open.delete(creatorId);
    }
  }
  const all = [...intervals, ...[...open].map(([creatorId, opened]) => ({ creatorId, opened, closed: null }))];
  return all.filter(({ opened }) => opened.at <= asOf).map((interval) => openAsOf(interval, asOf));
};

const openAsOf = (interval: ProtectionInterval, asOf: Instant): ProtectionInterval =>
  interval.closed !== null && interval.closed.at > asOf ? { ...interval, closed: null } : interval;

export const isSwitch = (event: RecordedEvent): event is SwitchEvent => SWITCHES.some((type) => type === event.type);

const switchOf = (event: SwitchEvent): Switch => ({
  eventId: event.id,
  revision: event.revision,
  at: switchedAt(event),
  actor: event.metadata.actor,
  requestId: event.metadata.correlationId,
  reason: event.data.reason,
});
