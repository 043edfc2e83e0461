import 'reflect-metadata';
import { DomainError, type FieldError } from '#kernel';
import { DtoPipe } from './dto.pipe.js';

export const pipe = new DtoPipe();

/** The instance that the pipe makes of an input as it comes over the wire, or the fields that it refuses. */
export const read = async (
  dto: new () => object,
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
