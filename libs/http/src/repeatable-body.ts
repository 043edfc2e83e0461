import { type FieldError, invalidRequest } from '#kernel';

const PROBLEMS = Symbol('problems');

/** The pipe does not refuse it: a repeat of an accepted one goes before rules that are stricter now (D98). */
export abstract class RepeatableBody {
  declare readonly [PROBLEMS]?: readonly FieldError[];
}

/** What the rules of today refuse of the body. */
export const problemsOf = (body: RepeatableBody): readonly FieldError[] => body[PROBLEMS] ?? [];

/** The refused input with its problems, if it may repeat a request; otherwise it stays refused. */
export const refusedInput = (dto: new () => object, input: object, problems: readonly FieldError[]): object => {
  if (!(dto.prototype instanceof RepeatableBody)) throw invalidRequest(...problems);
  return Object.assign(new dto(), input, { [PROBLEMS]: problems });
};
