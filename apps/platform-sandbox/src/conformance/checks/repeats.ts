import type { Check, Subject } from '../check.js';
import type { ContractRequest } from '../contract-client.js';
import { equal, Failed, Skipped } from '../verdict.js';

const CONCURRENT_REQUESTS = 5;
const LONGEST_KEY = 120;

/** A POST that takes effect, and another body that the same key must then refuse. */
export interface Repeatable {
  operation: string;
  status: number;
  /** The field of the answer that would differ if there had been two effects. */
  idField: string;
  request(subject: Subject, label: string): Promise<ContractRequest>;
  otherBody?(body: Record<string, unknown>): unknown;
  /** Undoes what a request needs, where the request itself was refused. */
  dismiss?(subject: Subject, request: ContractRequest): Promise<void>;
  /** Undoes what can be undone. */
  undo?(subject: Subject, answer: Record<string, unknown>, request: ContractRequest): Promise<void>;
}

/** What the contract says of keys, for one POST. */
export function repeatChecks(one: Repeatable): Check[] {
  return [...refusals(one), ...repeats(one)];
}

function refusals(one: Repeatable): Check[] {
  const changed = (
    name: string,
    change: (request: ContractRequest) => ContractRequest,
    mustRefuse?: number[],
  ): Check => ({
    name: `${one.operation} ${name}`,
    async verify(subject) {
      const valid = await one.request(subject, name.replace(/\W+/g, '-').slice(0, 30));
      const request = change(valid);
      if (mustRefuse) await subject.client.refused(one.operation, mustRefuse, undefined, request);
      else await subject.client.mayRefuse(one.operation, request, async (answer) => one.undo?.(subject, answer, valid));
      await one.dismiss?.(subject, valid);
    },
  });
  const keyed = [
    changed('needs an Idempotency-Key', ({ key: _key, ...request }) => request, [400, 422, 428]),
    changed(`may refuse a key of ${LONGEST_KEY + 1} characters`, ({ key = '', ...request }) => {
      const long = key.padEnd(LONGEST_KEY + 1, 'x');
      return {
        ...request,
        key: long,
        ...(request.body !== undefined && { body: { ...bodyOf(request), reference: long } }),
      };
    }),
  ];
  if (one.operation === 'resendInvitation') return keyed;
  return [
    ...keyed,
    changed(
      'refuses a reference that is not the key',
      (request) => ({ ...request, key: `${request.key}-other` }),
      [400],
    ),
    changed('may refuse a body without its required members', (request) => ({
      ...request,
      body: { reference: request.key },
    })),
  ];
}

function repeats(one: Repeatable): Check[] {
  return [
    {
      name: `${one.operation} returns the first result to a repeated key`,
      async verify(subject) {
        const request = await one.request(subject, 'repeat');
        const first = await accepted(subject, one, request);
        const second = await post(subject, one, request);
        equal(second, first, 'the second result');
        if (one.otherBody) {
          const body = one.otherBody(bodyOf(request));
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
        const last = await accepted(subject, one, request);
        const ids = new Set([...answers, last].flatMap((answer) => (answer ? [answer[one.idField]] : [])));
        await one.undo?.(subject, last, request);
        if (ids.size !== 1) throw new Failed(`${ids.size} different values of ${one.idField}`);
      },
    },
  ];
}

const bodyOf = ({ body }: ContractRequest) => body as Record<string, unknown>;

/** 422 is a rule of the platform's own about this record. */
async function accepted(subject: Subject, one: Repeatable, request: ContractRequest) {
  const { status, code, body } = await subject.client.call(one.operation, request);
  if (status === 422) throw new Skipped(`the platform refuses it: ${code}`);
  if (status !== one.status)
    throw new Failed(`${one.operation} answered ${status} ${code ?? ''} instead of ${one.status}`);
  return body as Record<string, unknown>;
}

function post(subject: Subject, one: Repeatable, request: ContractRequest): Promise<Record<string, unknown>> {
  return subject.client.get(one.operation, one.status, request);
}

async function settled(subject: Subject, one: Repeatable, request: ContractRequest) {
  const { status, body } = await subject.client.call(one.operation, request);
  return status === one.status ? (body as Record<string, unknown>) : undefined;
}
