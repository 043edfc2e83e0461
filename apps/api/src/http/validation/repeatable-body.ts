import { DomainError, type FieldError } from '#kernel';
import type { DtoClass } from './dto-class.js';

const PROBLEMS = Symbol('problems');

/**
 * A body that may repeat an accepted request. The pipe does not refuse it: rules may have become stricter since, and a
 * repeat goes before them, so the use case looks for one first (D98).
 */
export abstract class RepeatableBody {
  declare readonly [PROBLEMS]?: readonly FieldError[];
}

/** What the rules of today refuse of the body. */
export const problemsOf = (body: RepeatableBody): readonly FieldError[] => body[PROBLEMS] ?? [];

/** The refused body with its problems, if it may repeat a request; otherwise it stays refused. */
export const withProblems = (dto: DtoClass, value: unknown, refusal: unknown): object => {
  if (!(dto.prototype instanceof RepeatableBody) || !(refusal instanceof DomainError)) throw refusal;
  return Object.assign(new dto(), value, { [PROBLEMS]: refusal.fields });
};
