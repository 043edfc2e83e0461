import { type CallFaults, type Fault, type FaultRequest, type Subject, strikesAfter } from './fault.js';

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
    const faults: CallFaults = {
      waitBefore: 0,
      waitAfter: 0,
      before: undefined,
      after: undefined,
      refusal: undefined,
    };
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
