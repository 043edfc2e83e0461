import { type CreatorId, type Decider, type Instant, type Revision, unknownEvent, type WorkspaceId } from '#kernel';

/** The protection event that began or ended an interval. */
export interface MeterCause {
  readonly eventId: string;
  /** Where it stands in the creator's stream: what the meter has seen, it does not take twice. */
  readonly revision: Revision;
}

export interface UsageMeter {
  /** The interval that has begun and not ended. */
  readonly open: { readonly from: Instant } | null;
  /** The creator's revision up to which the meter has read. */
  readonly readThrough: Revision;
}

interface About {
  readonly creatorId: CreatorId;
  readonly workspaceId: WorkspaceId;
  readonly cause: MeterCause;
}

export type UsageMeterEvent =
  | { readonly type: 'usageMeter.meteringStarted.v1'; readonly data: About & { readonly from: Instant } }
  | {
      readonly type: 'usageMeter.meteringStopped.v1';
      readonly data: About & { readonly from: Instant; readonly to: Instant };
    };

/** Half-open intervals of active time, in milliseconds, that never overlap (D44). */
export const usageMeterDecider: Decider<UsageMeter, UsageMeterEvent> = {
  category: 'usageMeter',
  initial: { open: null, readThrough: -1 },
  evolve: (state, event) => {
    const readThrough = event.data.cause.revision;
    switch (event.type) {
      case 'usageMeter.meteringStarted.v1':
        return { open: { from: event.data.from }, readThrough };
      case 'usageMeter.meteringStopped.v1':
        return { open: null, readThrough };
      default:
        return unknownEvent(event, state);
    }
  },
};

/** Protection was activated at `at`. */
export function startMetering(state: UsageMeter, about: About, at: Instant): UsageMeterEvent[] {
  if (state.open !== null || about.cause.revision <= state.readThrough) return [];
  return [{ type: 'usageMeter.meteringStarted.v1', data: { ...about, from: at } }];
}

/** Protection was paused at `at`. */
export function stopMetering(state: UsageMeter, about: About, at: Instant): UsageMeterEvent[] {
  if (state.open === null || about.cause.revision <= state.readThrough) return [];
  return [{ type: 'usageMeter.meteringStopped.v1', data: { ...about, from: state.open.from, to: at } }];
}
