import type { ContractOperation, Parameter } from './document.js';
import { closed, type Problem, problemWith } from './schemas.js';

const INTEGER = /^(0|-?[1-9]\d{0,15})$/;

export type Headers = Readonly<Record<string, string | number | undefined>>;
export type Query = Readonly<Record<string, string | number>>;

/** The parts of a request that the contract has rules for. Path parameters have none: a malformed id is no record. */
export interface RequestRules {
  query(raw: unknown): Query;
  /** The headers' values by the contract's names; one that is an integer as a number. */
  headers(raw: (name: string) => string | undefined): Headers;
  /** The problem with a header, the query or the body, whichever comes first. */
  problem(headers: Headers, query: Query, body: unknown): string | undefined;
  hasBody: boolean;
}

export function requestRules(operation: ContractOperation): RequestRules {
  const inQuery = operation.parameters.filter((parameter) => parameter.in === 'query');
  const inHeader = operation.parameters.filter((parameter) => parameter.in === 'header');
  const queryProblem = problemWith(objectOf(inQuery));
  const headerProblems = inHeader.map(({ name, schema }) => ({ name, problem: problemWith(schema) }));
  const bodyProblem: Problem = operation.body ? problemWith(closed(operation.body)) : () => undefined;
  return {
    hasBody: operation.body !== undefined,
    headers: (raw) =>
      Object.fromEntries(inHeader.map((header) => [header.name, inContractType(header, raw(header.name))])),
    query: (raw) =>
      Object.fromEntries(
        Object.entries((raw ?? {}) as Record<string, string>).map(([name, text]) => [
          name,
          inContractType(
            inQuery.find((parameter) => parameter.name === name),
            text,
          ),
        ]),
      ),
    problem: (headers, query, body) =>
      headerProblems.map(({ name, problem }) => prefixed(name, problem(headers[name]))).find((found) => found) ??
      prefixed('query', queryProblem(query)) ??
      prefixed('body', bodyProblem(body)),
  };
}

function inContractType<Text extends string | undefined>(parameter: Parameter | undefined, text: Text): Text | number {
  return parameter?.schema.type === 'integer' && text !== undefined && INTEGER.test(text) ? Number(text) : text;
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
