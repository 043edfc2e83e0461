import { PARAMTYPES_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { type DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { DtoClass } from './dto-class.js';
import { unsupportedDecorators } from './unsupported-decorators.js';

type Controllers = ReturnType<DiscoveryService['getControllers']>;
type ControllerClass = NonNullable<Controllers[number]['metatype']>;

/** How Nest records the decorated parameters of a method: `{ '3:0': { index: 0 } }` for a `@Body()` in first place. */
type RouteArguments = Readonly<Record<string, { readonly index: number; readonly data?: unknown }>>;

const INPUTS: readonly (readonly [RouteParamtypes, string])[] = [
  [RouteParamtypes.BODY, '@Body()'],
  [RouteParamtypes.QUERY, '@Query()'],
];

/** The faults of the controllers' bodies and queries that the pipe could not check. */
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

/** Nest does not validate parameters of these types; the compiler also emits them for interfaces, unions, arrays. */
const NOT_VALIDATED: readonly unknown[] = [String, Boolean, Number, Array, Object, Buffer, Date, undefined];

const isDtoClass = (type: unknown): type is DtoClass => !NOT_VALIDATED.includes(type);
