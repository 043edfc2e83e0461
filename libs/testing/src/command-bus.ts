import type { ModuleRef } from '@nestjs/core';
import { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper.js';
import { CommandBus, type ICommandHandler } from '@nestjs/cqrs';

/** Only handlers that Nest makes for each request need it. */
const NO_MODULE = undefined as unknown as ModuleRef;

/** Nest's command bus with these handlers. */
export const commandBusOf = (...handlers: readonly ICommandHandler[]): CommandBus => {
  const bus = new CommandBus(NO_MODULE);
  bus.register(handlers.map((instance) => new InstanceWrapper({ metatype: instance.constructor as never, instance })));
  return bus;
};
