import type { ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { FastifyRequest } from 'fastify';
import { type FieldError, invalidRequest } from '#kernel';
import { hasBody, takesBody } from './json-body.js';
import { UnreadableBody } from './json-text.js';

/** Refuses what the route does not take: a body by its method (D8), fields and parameters by its handler (D7). */
export const refuseUnknownInput = (host: ExecutionContext): void => {
  const request = host.switchToHttp().getRequest<FastifyRequest>();
  const problems = [...bodyProblems(request), ...unknownFields(request, host)];
  if (problems.length > 0) throw invalidRequest(...problems);
};

const bodyProblems = ({ method, headers }: FastifyRequest): FieldError[] =>
  !takesBody(method) && hasBody(headers) ? [{ field: 'body', message: 'must not be sent' }] : [];

/** A route without `@Query()` takes no query parameters, and one without `@Body()` no fields. The pipe checks the others. */
const unknownFields = ({ query, body }: FastifyRequest, host: ExecutionContext): FieldError[] => {
  const ofQuery = takes(RouteParamtypes.QUERY, host) ? {} : Object(query);
  const ofBody = body === undefined || takes(RouteParamtypes.BODY, host) ? {} : fieldsOf(body);
  return [...Object.keys(ofQuery), ...Object.keys(ofBody)].map((field) => ({ field, message: 'is not known' }));
};

const fieldsOf = (body: unknown): object => {
  plainObject(body);
  return Object(body);
};

/** Nest records a parameter of a method by its decorator and its index: `4:0` for a `@Query()` that is the first. */
const takes = (kind: RouteParamtypes, host: ExecutionContext): boolean => {
  const recorded: object = Reflect.getMetadata(ROUTE_ARGS_METADATA, host.getClass(), host.getHandler().name) ?? {};
  return Object.keys(recorded).some((key) => key.startsWith(`${kind}:`));
};

/** Far more than any body of this API needs; class-transformer recurses, and exhausts the stack at a few thousand. */
export const MAX_DEPTH = 32;

interface PlainObject {
  /** The input without the fields that have a problem. */
  readonly object: object;
  readonly problems: readonly FieldError[];
}

/** Refuses input that Nest's pipe would drop or correct: inherited field names, and values that are not objects. */
export const plainObject = (value: unknown): PlainObject => {
  if (value instanceof UnreadableBody) throw invalidRequest({ field: value.field, message: value.message });
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidRequest({ field: 'body', message: 'must be a JSON object' });
  }
  const problems = Object.entries(value).flatMap(([field, member]): FieldError[] => {
    const message = isInherited(field) ? 'is not known' : memberProblem(member, 1);
    return message === undefined ? [] : [{ field, message }];
  });
  if (problems.length === 0) return { object: value, problems };
  const usable = Object.entries(value).filter(([name]) => !problems.some(({ field }) => field === name));
  return { object: Object.fromEntries(usable), problems };
};

const memberProblem = (value: unknown, depth: number): string | undefined => {
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > MAX_DEPTH) return `must not be nested deeper than ${MAX_DEPTH} levels`;
  for (const [name, member] of Object.entries(value)) {
    const problem = isInherited(name) ? `must not contain a field ${name}` : memberProblem(member, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
};

const isInherited = (name: string): boolean => name in Object.prototype;
