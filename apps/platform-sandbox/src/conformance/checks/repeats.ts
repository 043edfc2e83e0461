import { type Check, check, type Subject } from '../check.js';
import { type ContractRequest, equal, Failed, Skipped, unexpected } from '../contract-client.js';

const CONCURRENT_REQUESTS = 5;
const LONGEST_KEY = 120;

/** A POST that takes effect, and another body that the same key must then refuse. */
export interface Repeatable {
  operation: string;
  status: number;
  /** The field of the answer that would differ if the call had taken effect twice. */
  idField: string;
  request(subject: Subject, label: string): Promise<ContractRequest>;
  otherBody?(body: Record<string, unknown>): unknown;
  /** Undoes the preparation if the request itself was refused. */
  dismiss?(subject: Subject, request: ContractRequest): Promise<void>;
  /** Undoes what can be undone. */
  undo?(subject: Subject, answer: Record<string, unknown>): Promise<void>;
}

export function repeatChecks(one: Repeatable): Check[] {
  return [...refusals(one), ...repeats(one)];
}

function refusals(one: Repeatable): Check[] {
  const changed = (name: string, change: (request: ContractRequest) => ContractRequest, mustRefuse?: number[]) =>
    check(`${one.operation} ${name}`, async (subject) => {
      const valid = await one.request(subject, name.replace(/\W+/g, '-').slice(0, 30));
      const request = change(valid);
      if (mustRefuse) await subject.client.refused(one.operation, request, mustRefuse);
      else await subject.client.mayRefuse(one.operation, request, async (answer) => one.undo?.(subject, answer));
      await one.dismiss?.(subject, valid);
    });
  const keyed = [
    changed('needs an Idempotency-Key', ({ key: _key, ...request }) => request, [400, 422, 428]),
    changed(`may refuse a key of ${LONGEST_KEY + 1} characters`, ({ key = '', ...request }) => {
      const long = key.padEnd(LONGEST_KEY + 1, 'x');
      if (request.body === undefined) return { ...request, key: long };
      return { ...request, key: long, body: { ...bodyOf(request), reference: long } };
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
  const { operation, status, idField } = one;
  return [
    check(`${operation} returns the first result to a repeated key`, async (subject) => {
      const request = await one.request(subject, 'repeat');
      const repeat = () => subject.client.get(operation, status, request);
      const first = await accepted<Record<string, unknown>>(subject, one, request);
      equal(await repeat(), first, 'the second result');
      if (one.otherBody) {
        const other = { ...request, body: one.otherBody(bodyOf(request)) };
        await subject.client.refused(operation, other, [409], 'idempotency_conflict');
      }
      await one.undo?.(subject, first);
      if (one.undo) equal(await repeat(), first, 'the result after it was undone');
    }),

    check(
      `${operation} has one effect for ${CONCURRENT_REQUESTS} concurrent requests with one key`,
      async (subject) => {
        const request = await one.request(subject, 'at-once');
        const concurrent = Array.from({ length: CONCURRENT_REQUESTS }, () => subject.client.call(operation, request));
        const answers = await Promise.all(concurrent);
        // Some may be refused while the first is under way; once it has finished, all agree.
        const last = await accepted<Record<string, unknown>>(subject, one, request);
        const bodies = answers.filter((answer) => answer.status === status).map(bodyOf);
        const ids = new Set([...bodies, last].map((body) => body[idField]));
        await one.undo?.(subject, last);
        if (ids.size !== 1) throw new Failed(`${ids.size} different values of ${idField}`);
      },
    ),
  ];
}

const bodyOf = ({ body }: { body?: unknown }) => body as Record<string, unknown>;

/** 422 is the platform's own rule about this record. */
export async function accepted<Body>(subject: Subject, one: Repeatable, request: ContractRequest): Promise<Body> {
  const answer = await subject.client.call(one.operation, request);
  if (answer.status === 422) throw new Skipped(`the platform refuses it: ${answer.code}`);
  if (answer.status !== one.status) throw unexpected(one.operation, answer, `${one.status}`);
  return answer.body as Body;
}
