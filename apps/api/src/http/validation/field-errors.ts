import type { ValidationError } from 'class-validator';
import type { FieldError } from '#kernel';

/** The errors of class-validator, one line for each field; the name of a nested one is its path, `links.0.url`. */
export const fieldErrors = (errors: readonly ValidationError[], parent?: string): FieldError[] =>
  errors.flatMap(({ property, constraints = {}, children = [] }) => {
    const field = parent === undefined ? property : `${parent}.${property}`;
    const [message] = 'whitelistValidation' in constraints ? ['is not known'] : Object.values(constraints);
    return [...(message === undefined ? [] : [{ field, message }]), ...fieldErrors(children, field)];
  });
