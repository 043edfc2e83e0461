import { type INestApplicationContext, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { ModulesContainer } from '@nestjs/core';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';

export interface DashboardRoute {
  readonly method: string;
  /** With its parameters, such as `/dashboard/api/keys/:id`. */
  readonly path: string;
  /** Undefined for a route that nothing guards. */
  readonly right: string | undefined;
}

/** The routes of all controllers under `/dashboard`, as the container has them. */
export const dashboardRoutes = (app: INestApplicationContext): DashboardRoute[] => {
  const modules = [...app.get(ModulesContainer, { strict: false }).values()];
  const controllers = modules.flatMap((module) => [...module.controllers.values()].map(({ metatype }) => metatype));
  return controllers.flatMap((controller) => {
    const base: unknown = Reflect.getMetadata(PATH_METADATA, Object(controller));
    if (typeof controller !== 'function' || !/^dashboard\b/.test(String(base))) return [];
    return handlersOf(controller.prototype).map((handler) => ({
      method: String(RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler)]),
      path: `/${base}/${Reflect.getMetadata(PATH_METADATA, handler)}`.replaceAll(/\/+/g, '/').replace(/\/$/, ''),
      right: Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, handler)?.right,
    }));
  });
};

const handlersOf = (prototype: object): object[] =>
  Object.getOwnPropertyNames(prototype)
    .map((name) => Reflect.get(prototype, name))
    .filter((member): member is object => typeof member === 'function' && Reflect.hasMetadata(METHOD_METADATA, member));
