import { Refusal } from '../refusal.js';

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

/** A fault selects calls by these. The references are the key, the body, the query and the record of the path. */
export interface Subject {
  agencyId: string;
  userId: string;
  references: string[];
}

/** The faults of one call: delays, and at most one other fault. */
export interface CallFaults {
  waitBefore: number;
  waitAfter: number;
  before?: Fault;
  after?: Fault;
  /** In place of the effect; a remembered result is still returned. */
  refusal?: Fault;
}

/** The active faults, in the order in which they were asked for. In memory: a restart heals. */
export class Faults {
  #active: Fault[] = [];
  #lastId = 0;

  list(): readonly Fault[] {
    return this.#active;
  }

  add(request: FaultRequest): Fault {
    this.#lastId += 1;
    const fault = { ...request, id: this.#lastId, met: 0 };
    this.#active.push(fault);
    return fault;
  }

  clear(): void {
    this.#active = [];
  }

  /** Uses up one time of each fault that strikes. Waits add up; of the others the oldest strikes alone. */
  strike(operationId: string, subject: Subject): CallFaults {
    const faults: CallFaults = { waitBefore: 0, waitAfter: 0 };
    for (const fault of this.#active) {
      if (!meets(fault, operationId, subject)) continue;
      const taken = faults.before ?? faults.after ?? faults.refusal;
      if (fault.kind !== 'delay' && taken) continue;
      fault.met += 1;
      if (fault.kind === 'delay' && strikesAfter(fault)) faults.waitAfter += fault.delay_ms ?? 0;
      else if (fault.kind === 'delay') faults.waitBefore += fault.delay_ms ?? 0;
      else if (fault.kind === 'refuse') faults.refusal = fault;
      else if (strikesAfter(fault)) faults.after = fault;
      else faults.before = fault;
    }
    this.#active = this.#active.filter((fault) => (fault.times ?? Number.POSITIVE_INFINITY) > fault.met);
    return faults;
  }
}

function meets(fault: Fault, operationId: string, subject: Subject): boolean {
  if (fault.operation !== '*' && fault.operation !== operationId) return false;
  const { agency_id, user_id, reference } = fault.match ?? {};
  if (agency_id !== undefined && agency_id !== subject.agencyId) return false;
  if (user_id !== undefined && user_id !== subject.userId) return false;
  if (reference !== undefined && !subject.references.includes(reference)) return false;
  return fault.probability === undefined || Math.random() < fault.probability;
}

const AFTER_BY_DEFAULT: ReadonlySet<FaultKind> = new Set(['broken_json', 'wrong_shape', 'close_after']);

function strikesAfter({ kind, effect }: Fault): boolean {
  if (kind === 'close_before' || kind === 'close_after' || effect === undefined) return AFTER_BY_DEFAULT.has(kind);
  return effect === 'after';
}

export function refusalOf({ kind, status, code }: Fault): Refusal {
  const byDefault = kind === 'refuse' ? { status: 409, code: 'refused' } : { status: 503, code: 'unavailable' };
  return new Refusal(status ?? byDefault.status, code ?? byDefault.code, 'A fault was asked for.');
}
