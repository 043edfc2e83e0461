import type { ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { FastifyRequest } from 'fastify';
import { type FieldError, invalidRequest } from '#kernel';
import { hasBody, takesBody } from './json-body.js';
import { plainObject } from './json-object.js';

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
