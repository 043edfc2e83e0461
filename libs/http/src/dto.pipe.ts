import { type ArgumentMetadata, Injectable, ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { DomainError, type FieldError, invalidRequest } from '#kernel';
import { plainObject } from './json-object.js';

const PROBLEMS = Symbol('problems');

/** The pipe does not refuse it: a repeat of an accepted request passes rules that are stricter now (D98). */
export abstract class RepeatableBody {
  declare readonly [PROBLEMS]?: readonly FieldError[];
}

export const problemsOf = (body: RepeatableBody): readonly FieldError[] => body[PROBLEMS] ?? [];

/** Returns the refused input with its problems if it may repeat a request, and throws otherwise. */
const refusedInput = (dto: new () => object, input: object, problems: readonly FieldError[]): object => {
  if (!(dto.prototype instanceof RepeatableBody)) throw invalidRequest(...problems);
  return Object.assign(new dto(), input, { [PROBLEMS]: problems });
};

/** The errors of a value's items; the decorator of a list has it as its context. */
export interface ListContext {
  readonly itemErrors: (value: unknown) => readonly { readonly index: number; readonly message: string }[];
}

/** One line for each field, and one for each wrong item, `aliases[3]` (D98). No body has objects in objects. */
const fieldErrors = (errors: readonly ValidationError[]): FieldError[] =>
  errors.flatMap(({ property: field, value, constraints = {}, contexts = {} }) => {
    const [list] = Object.values(contexts) as Partial<ListContext>[];
    const items = list?.itemErrors?.(value) ?? [];
    if (items.length > 0) return items.map(({ index, message }) => ({ field: `${field}[${index}]`, message }));
    const [message = 'is not valid'] = Object.values(constraints);
    return [{ field, message: 'whitelistValidation' in constraints ? 'is not known' : message }];
  });

/** The problems that two stages have found, one for each field: the earlier stage knows the cause. */
export const joined = (earlier: readonly FieldError[], later: readonly FieldError[]): FieldError[] => [
  ...earlier,
  ...later.filter(({ field }) => !earlier.some((problem) => problem.field === field)),
];

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
