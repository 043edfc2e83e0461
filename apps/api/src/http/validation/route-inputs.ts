import { PARAMTYPES_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { type DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { DtoClass } from './dto-class.js';
import { unsupportedDecorators } from './unsupported-decorators.js';

type Controllers = ReturnType<DiscoveryService['getControllers']>;
type ControllerClass = NonNullable<Controllers[number]['metatype']>;

/** How Nest records the decorated parameters of a method: `{ '3:0': { index: 0 } }` for a `@Body()` that comes first. */
type RouteArguments = Readonly<Record<string, { readonly index: number; readonly data?: unknown }>>;

const INPUTS: readonly (readonly [RouteParamtypes, string])[] = [
  [RouteParamtypes.BODY, '@Body()'],
  [RouteParamtypes.QUERY, '@Query()'],
];

/** What the pipe could not check of the bodies and queries that the controllers' methods take. */
export const routeInputProblems = (controllers: Controllers): readonly string[] => {
  const problems = controllers.flatMap(({ metatype }) => (metatype === null ? [] : controllerProblems(metatype)));
  return [...new Set(problems)];
};

const controllerProblems = (controller: ControllerClass): string[] =>
  new MetadataScanner().getAllMethodNames(controller.prototype).flatMap((method) => {
    const types: readonly unknown[] = Reflect.getMetadata(PARAMTYPES_METADATA, controller.prototype, method) ?? [];
    const args: RouteArguments = Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {};
    return Object.entries(args).flatMap(([key, { index, data }]) => {
      const decorator = INPUTS.find(([kind]) => key === `${kind}:${index}`)?.[1];
      if (decorator === undefined) return [];
      const dto = types[index];
      if (data === undefined && isDtoClass(dto)) return unsupportedDecorators(dto);
      return [`${controller.name}.${method}: ${decorator} must be the whole input and have a class as its type`];
    });
  });

/** Nest validates no parameter of these types, which the compiler also emits for interfaces, unions and arrays. */
const NOT_VALIDATED: readonly unknown[] = [String, Boolean, Number, Array, Object, Buffer, Date, undefined];

const isDtoClass = (type: unknown): type is DtoClass => !NOT_VALIDATED.includes(type);
