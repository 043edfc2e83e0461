import { Refusal } from '../operation.js';

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
  /** How many calls it affects; null or absent: all. */
  times?: number | null;
  probability?: number;
  /** Whether the call takes effect before the fault strikes. */
  effect?: 'before' | 'after';
}

export interface Fault extends FaultRequest {
  met: number;
}

/** A fault selects calls by these. The references come from the key, the body, the query and the record in the path. */
export interface Subject {
  agencyId: string;
  userId: string;
  references: string[];
}

export interface CallFaults {
  waitBefore: number;
  waitAfter: number;
  before?: Fault;
  after?: Fault;
  /** Instead of the effect; a remembered result is still returned. */
  refusal?: Fault;
}

/** The active faults, in the order in which they were requested. In memory, so a restart removes them. */
export class Faults {
  #active: Fault[] = [];

  add(request: FaultRequest): Fault {
    const fault = { ...request, met: 0 };
    this.#active.push(fault);
    return fault;
  }

  clear(): void {
    this.#active = [];
  }

  /** Uses up one occurrence of each fault that applies. Delays add up; of the other faults only the oldest applies. */
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
