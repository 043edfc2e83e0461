import type { Check, Subject } from '../check.js';
import type { ContractRequest } from '../contract-client.js';
import { equal, Failed } from '../verdict.js';

const CONCURRENT_REQUESTS = 5;

/** A POST that takes effect, and another body that the same key must then refuse. */
export interface Repeatable {
  operation: string;
  status: number;
  /** The field of the answer that would differ if there had been two effects. */
  idField: string;
  request(subject: Subject, label: string): Promise<ContractRequest>;
  otherBody?(body: Record<string, unknown>): unknown;
  /** Undoes what can be undone. */
  undo?(subject: Subject, answer: Record<string, unknown>, request: ContractRequest): Promise<void>;
}

/** What the contract says of keys, for one POST. */
export function repeatChecks(one: Repeatable): Check[] {
  return [
    {
      name: `${one.operation} returns the first result to a repeated key`,
      async verify(subject) {
        const request = await one.request(subject, 'repeat');
        const first = await post(subject, one, request);
        const second = await post(subject, one, request);
        equal(second, first, 'the second result');
        if (one.otherBody) {
          const body = one.otherBody(request.body as Record<string, unknown>);
          await subject.client.refused(one.operation, 409, 'idempotency_conflict', { ...request, body });
        }
        await one.undo?.(subject, first, request);
        if (one.undo) equal(await post(subject, one, request), first, 'the result after it was undone');
      },
    },
    {
      name: `${one.operation} has one effect for ${CONCURRENT_REQUESTS} concurrent requests with one key`,
      async verify(subject) {
        const request = await one.request(subject, 'at-once');
        const answers = await Promise.all(
          Array.from({ length: CONCURRENT_REQUESTS }, () => settled(subject, one, request)),
        );
        // Some may be refused while the first is under way; once it is done, all agree.
        const last = await post(subject, one, request);
        const ids = new Set([...answers, last].flatMap((answer) => (answer ? [answer[one.idField]] : [])));
        await one.undo?.(subject, last, request);
        if (ids.size !== 1) throw new Failed(`${ids.size} different values of ${one.idField}`);
      },
    },
  ];
}

function post(subject: Subject, one: Repeatable, request: ContractRequest): Promise<Record<string, unknown>> {
  return subject.client.get(one.operation, one.status, request);
}

async function settled(subject: Subject, one: Repeatable, request: ContractRequest) {
  const { status, body } = await subject.client.call(one.operation, request);
  return status === one.status ? (body as Record<string, unknown>) : undefined;
}
