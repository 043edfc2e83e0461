import type { ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { FastifyRequest } from 'fastify';
import type { FieldError } from '#kernel';

/** A route without `@Query()` takes no query parameters (D7); the pipe checks those of the others. */
export const queryProblems = (host: ExecutionContext): FieldError[] => {
  const names = Object.keys(Object(host.switchToHttp().getRequest<FastifyRequest>().query));
  return names.length === 0 || takesQuery(host) ? [] : names.map((field) => ({ field, message: 'is not known' }));
};

/** Nest records a parameter of a method by its decorator and its index: `4:0` for a `@Query()` that is the first. */
const takesQuery = (host: ExecutionContext): boolean => {
  const recorded: object = Reflect.getMetadata(ROUTE_ARGS_METADATA, host.getClass(), host.getHandler().name) ?? {};
  return Object.keys(recorded).some((key) => key.startsWith(`${RouteParamtypes.QUERY}:`));
};
