import { type ArgumentMetadata, Injectable, ValidationPipe } from '@nestjs/common';
import { DomainError, type FieldError, invalidRequest } from '#kernel';
import { fieldErrors, joined } from './field-errors.js';
import { plainObject } from './json-object.js';
import { refusedInput } from './repeatable-body.js';

/** Nest's ValidationPipe, with the errors of this API (D7). */
@Injectable()
export class DtoPipe extends ValidationPipe {
  constructor() {
    super({
      transform: true,
      whitelist: true,
      forbidNonWhitelisted: true,
      stopAtFirstError: true,
      exceptionFactory: (errors) => invalidRequest(...fieldErrors(errors)),
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { type, metatype } = metadata;
    if (metatype === undefined || (type !== 'body' && type !== 'query')) return super.transform(value, metadata);
    const { object, problems } = plainObject(value);
    const { input, refused } = await super.transform(object, metadata).then(
      (dto: unknown) => ({ input: dto, refused: [] }),
      (refusal: unknown) => ({ input: undefined, refused: fieldsOf(refusal) }),
    );
    const all = joined(problems, refused);
    return all.length === 0 ? input : refusedInput(metatype, object, all);
  }
}

const fieldsOf = (refusal: unknown): readonly FieldError[] => {
  if (refusal instanceof DomainError) return refusal.fields;
  throw refusal;
};
