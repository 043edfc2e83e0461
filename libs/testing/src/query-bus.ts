import type { ModuleRef } from '@nestjs/core';
import { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper.js';
import { type IQueryHandler, QueryBus } from '@nestjs/cqrs';

/** Only handlers that Nest makes for each request need it. */
const NO_MODULE = undefined as unknown as ModuleRef;

/** Nest's query bus with these handlers. */
export const queryBusOf = (...handlers: readonly IQueryHandler[]): QueryBus => {
  const bus = new QueryBus(NO_MODULE);
  bus.register(handlers.map((instance) => new InstanceWrapper({ metatype: instance.constructor as never, instance })));
  return bus;
};
