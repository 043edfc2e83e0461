import type { ModuleRef } from '@nestjs/core';
import { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper.js';
import { CommandBus, type ICommandHandler, type IQueryHandler, QueryBus } from '@nestjs/cqrs';

/** Only handlers that Nest makes for each request need it. */
const NO_MODULE = undefined as unknown as ModuleRef;

const wrapped = <Handler extends object>(instance: Handler): InstanceWrapper<Handler> =>
  new InstanceWrapper({ metatype: instance.constructor as never, instance });

/** Nest's command bus with these handlers. */
export const commandBusOf = (...handlers: readonly ICommandHandler[]): CommandBus => {
  const bus = new CommandBus(NO_MODULE);
  bus.register(handlers.map(wrapped));
  return bus;
};

/** Nest's query bus with these handlers. */
export const queryBusOf = (...handlers: readonly IQueryHandler[]): QueryBus => {
  const bus = new QueryBus(NO_MODULE);
  bus.register(handlers.map(wrapped));
  return bus;
};
