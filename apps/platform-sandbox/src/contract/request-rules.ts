import type { ContractOperation, Parameter } from './document.js';
import { closed, type Problem, problemWith } from './schemas.js';

const INTEGER = /^(0|-?[1-9]\d{0,15})$/;

export type Query = Readonly<Record<string, string | number>>;

/** The parts of a request that the contract has rules for. Path parameters have none: a malformed id is no record. */
export interface RequestRules {
  query(raw: unknown): Query;
  /** The problem with the header, the query or the body, whichever comes first. */
  problem(key: string | undefined, query: Query, body: unknown): string | undefined;
  hasBody: boolean;
  needsKey: boolean;
}

export function requestRules(operation: ContractOperation): RequestRules {
  const inQuery = operation.parameters.filter((parameter) => parameter.in === 'query');
  const keyParameter = operation.parameters.find((parameter) => parameter.name === 'Idempotency-Key');
  const integers = new Set(inQuery.filter((p) => p.schema.type === 'integer').map((p) => p.name));
  const queryProblem = problemWith(objectOf(inQuery));
  const keyProblem: Problem = keyParameter ? problemWith(keyParameter.schema) : () => undefined;
  const bodyProblem: Problem = operation.body ? problemWith(closed(operation.body)) : () => undefined;
  return {
    hasBody: operation.body !== undefined,
    needsKey: keyParameter !== undefined,
    query: (raw) =>
      Object.fromEntries(
        Object.entries((raw ?? {}) as Record<string, string>).map(([name, text]) => [
          name,
          integers.has(name) && INTEGER.test(text) ? Number(text) : text,
        ]),
      ),
    problem: (key, query, body) =>
      prefixed('Idempotency-Key', keyProblem(key)) ??
      prefixed('query', queryProblem(query)) ??
      prefixed('body', bodyProblem(body)),
  };
}

function objectOf(parameters: Parameter[]) {
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter.schema])),
    required: parameters.filter((parameter) => parameter.required).map((parameter) => parameter.name),
  };
}

function prefixed(part: string, problem: string | undefined): string | undefined {
  return problem && `${part}: ${problem}`;
}
