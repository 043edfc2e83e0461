import 'reflect-metadata';
import { DiscoveryService, ModulesContainer } from '@nestjs/core';
import { DomainError, type FieldError } from '#kernel';
import { DtoPipe } from './dto.pipe.js';
import type { DtoClass } from './dto-class.js';

export const pipe = new DtoPipe(new DiscoveryService(new ModulesContainer()));

/** The instance that the pipe makes of an input as it comes over the wire, or the fields that it refuses. */
export const read = async (
  dto: DtoClass,
  input: unknown,
  type: 'body' | 'query' = 'body',
): Promise<{ readonly instance: unknown } | { readonly refused: readonly FieldError[] }> => {
  try {
    return { instance: await pipe.transform(JSON.parse(JSON.stringify(input)), { type, metatype: dto }) };
  } catch (error) {
    if (error instanceof DomainError && error.code === 'invalid_request') return { refused: error.fields };
    throw error;
  }
};

/** A class with one property, `value`, that has these decorators. */
export const classWith = (...decorators: readonly PropertyDecorator[]): DtoClass => {
  class Input {}
  for (const decorate of decorators) decorate(Input.prototype, 'value');
  return Input;
};
