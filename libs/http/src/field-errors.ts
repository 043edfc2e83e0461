import type { ValidationError } from 'class-validator';
import type { FieldError } from '#kernel';

/** The errors of a value's items; the decorator of a list has it as its context. */
export interface ListContext {
  readonly itemErrors: (value: unknown) => readonly { readonly index: number; readonly message: string }[];
}

/** One line for each field, and one for each wrong item, `aliases[3]` (D98). No body has objects in objects. */
export const fieldErrors = (errors: readonly ValidationError[]): FieldError[] =>
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
