import { type CreatorId, type Decider, type Instant, type Revision, unknownEvent, type WorkspaceId } from '#kernel';
import { type Month, monthOf, splitByMonth } from './month.js';

/** The process that meters, as a runner of the log and the actor of what it records. */
export const METERING = 'metering';

export interface MeterCause {
  readonly eventId: string;
  /** Its revision in the creator's stream: what the meter has seen, it does not record twice. */
  readonly revision: Revision;
}

export interface OpenInterval {
  readonly from: Instant;
  /** Whether the creator counts as active in the month of `from` already, by an earlier interval. */
  readonly isCounted: boolean;
}

export interface UsageMeter {
  readonly open: OpenInterval | null;
  readonly lastMonth: Month | null;
  readonly readThrough: Revision;
}

export interface ProtectionChange {
  readonly creatorId: CreatorId;
  readonly workspaceId: WorkspaceId;
  readonly cause: MeterCause;
}

export type UsageMeterEvent =
  | { readonly type: 'usageMeter.meteringStarted.v1'; readonly data: ProtectionChange & OpenInterval }
  | {
      readonly type: 'usageMeter.meteringStopped.v1';
      /** `newMonths`: those in which this interval is the creator's first of any length. */
      readonly data: ProtectionChange & OpenInterval & { readonly to: Instant; readonly newMonths: readonly Month[] };
    };

/** Half-open intervals of active time, in milliseconds, that never overlap (D44). */
export const usageMeterDecider: Decider<UsageMeter, UsageMeterEvent> = {
  category: 'usageMeter',
  initial: { open: null, lastMonth: null, readThrough: -1 },
  evolve: (state, event) => {
    const readThrough = event.data.cause.revision;
    switch (event.type) {
      case 'usageMeter.meteringStarted.v1':
        return { ...state, open: { from: event.data.from, isCounted: event.data.isCounted }, readThrough };
      case 'usageMeter.meteringStopped.v1':
        return { open: null, lastMonth: event.data.newMonths.at(-1) ?? state.lastMonth, readThrough };
      default:
        return unknownEvent(event, state);
    }
  },
};

export function startMetering(state: UsageMeter, change: ProtectionChange, at: Instant): UsageMeterEvent[] {
  if (state.open !== null || change.cause.revision <= state.readThrough) return [];
  return [
    {
      type: 'usageMeter.meteringStarted.v1',
      data: { ...change, from: at, isCounted: monthOf(at) === state.lastMonth },
    },
  ];
}

/** Protection was paused when the clock showed `at`, which was behind if that is before the interval's start (D44). */
export function stopMetering(state: UsageMeter, change: ProtectionChange, at: Instant): UsageMeterEvent[] {
  if (state.open === null || change.cause.revision <= state.readThrough) return [];
  const { from } = state.open;
  const to = Math.max(from, at);
  const months = splitByMonth(from, to).map(({ month }) => month);
  const newMonths = months.filter((month) => month !== state.lastMonth);
  return [{ type: 'usageMeter.meteringStopped.v1', data: { ...change, ...state.open, to, newMonths } }];
}
