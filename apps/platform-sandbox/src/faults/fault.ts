export const FAULT_KINDS = [
  'refuse',
  'delay',
  'status',
  'broken_json',
  'wrong_shape',
  'close_before',
  'close_after',
  'hang',
] as const;
type FaultKind = (typeof FAULT_KINDS)[number];

export interface FaultRequest {
  /** An operationId, or `*`. */
  operation: string;
  match?: { agency_id?: string; user_id?: string; reference?: string };
  kind: FaultKind;
  status?: number;
  code?: string;
  delay_ms?: number;
  /** How many calls it meets; null or absent: all. */
  times?: number | null;
  probability?: number;
  /** Whether the call takes effect before the fault strikes. */
  effect?: 'before' | 'after';
}

export interface Fault extends FaultRequest {
  id: number;
  met: number;
}

/** What a call can be recognized by. Several references: key, body, query, and the record that the path names. */
export interface Subject {
  agencyId: string;
  userId: string;
  references: string[];
}

/** What strikes one call: waits, and at most one other fault. */
export interface CallFaults {
  waitBefore: number;
  waitAfter: number;
  before: Fault | undefined;
  after: Fault | undefined;
  /** In place of the effect; a remembered result is still returned. */
  refusal: Fault | undefined;
}

const AFTER_BY_DEFAULT: ReadonlySet<FaultKind> = new Set(['broken_json', 'wrong_shape', 'close_after']);

export function strikesAfter({ kind, effect }: Fault): boolean {
  if (kind === 'close_before') return false;
  if (kind === 'close_after') return true;
  return effect === undefined ? AFTER_BY_DEFAULT.has(kind) : effect === 'after';
}
