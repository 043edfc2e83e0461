import {
  type AgencyId,
  ageOf,
  type CreatorId,
  DAY,
  type Decider,
  DomainError,
  type Instant,
  MAX_CLOCK_SKEW,
  type ScanId,
  SECOND,
  unknownEvent,
} from '#kernel';

export const MANUAL_SCANS_PER_DAY = 5;

export type ScanSource = 'manual' | 'scheduled';

export interface ScanReservation {
  readonly scanId: ScanId;
  readonly creatorId: CreatorId;
  readonly agencyId: AgencyId;
  readonly source: ScanSource;
}

/** Decides which scans of a creator may begin: one pending scan at a time, five manual scans in any 24 hours. */
export interface ScanAllowance {
  readonly pending: ScanReservation | null;
  readonly manual: readonly { readonly scanId: ScanId; readonly at: Instant }[];
}

export type ScanAllowanceEvent =
  | {
      readonly type: 'scanAllowance.scanAdmitted.v1';
      /** `admittedAt`: what the clock showed, if that was before the stream's last event. */
      readonly data: ScanReservation & { readonly admittedAt?: Instant };
    }
  | {
      readonly type: 'scanAllowance.scanReleased.v1';
      /** `conflict`: the id belongs to another creator, so the scan does not count. */
      readonly data: { readonly scanId: ScanId; readonly creatorId: CreatorId; readonly outcome: 'ended' | 'conflict' };
    };

export const scanAllowanceDecider: Decider<ScanAllowance, ScanAllowanceEvent> = {
  category: 'scanAllowance',
  initial: { pending: null, manual: [] },
  evolve: (state, event, at) => {
    switch (event.type) {
      case 'scanAllowance.scanAdmitted.v1': {
        const { admittedAt = at, ...pending } = event.data;
        const recent = countedAt(state, admittedAt);
        const { scanId, source } = pending;
        return { pending, manual: source === 'manual' ? [...recent, { scanId, at: admittedAt }] : recent };
      }
      case 'scanAllowance.scanReleased.v1': {
        const { scanId, outcome } = event.data;
        const manual = outcome === 'conflict' ? state.manual.filter((scan) => scan.scanId !== scanId) : state.manual;
        return { pending: state.pending?.scanId === scanId ? null : state.pending, manual };
      }
      default:
        return unknownEvent(event, state);
    }
  },
  whenClockIsBehind: (event, clock) =>
    event.type === 'scanAllowance.scanAdmitted.v1' ? { ...event, data: { ...event.data, admittedAt: clock } } : event,
};

/** `now` is what the clock shows. `endedScanId` is the earlier pending scan if its own stream shows that it has ended: released in one append (D46). */
export function admitScan(
  state: ScanAllowance,
  admission: ScanReservation,
  endedScanId: ScanId | undefined,
  now: Instant,
): ScanAllowanceEvent[] {
  const { pending } = state;
  const isRepeat =
    pending?.scanId === admission.scanId || state.manual.some(({ scanId }) => scanId === admission.scanId);
  if (isRepeat) return [];
  if (pending !== null && pending.scanId !== endedScanId) throw new DomainError('scan_in_progress');
  if (admission.source === 'manual') requireAllowance(state, now);
  const admitted: ScanAllowanceEvent = { type: 'scanAllowance.scanAdmitted.v1', data: admission };
  return pending === null ? [admitted] : [...releaseScan(state, pending.scanId, 'ended'), admitted];
}

export function releaseScan(
  { pending }: ScanAllowance,
  scanId: ScanId,
  outcome: 'ended' | 'conflict',
): ScanAllowanceEvent[] {
  if (pending?.scanId !== scanId) return [];
  return [{ type: 'scanAllowance.scanReleased.v1', data: { scanId, creatorId: pending.creatorId, outcome } }];
}

const requireAllowance = (state: ScanAllowance, now: Instant): void => {
  const counted = countedAt(state, now);
  const oldest = counted.at(-MANUAL_SCANS_PER_DAY);
  if (oldest === undefined) return;
  throw new DomainError('scan_limit_reached', { retryAfterSeconds: Math.ceil((oldest.at + DAY - now) / SECOND) });
};

const countedAt = ({ manual }: ScanAllowance, now: Instant) =>
  manual.filter(({ at }) => ageOf(at, now, MAX_CLOCK_SKEW) < DAY);
