import { type FieldError, invalidRequest } from '#kernel';
import { UnreadableBody } from './json-text.js';

/** Far more than any body of this API needs; class-transformer recurses, and exhausts the stack at some thousand. */
export const MAX_DEPTH = 32;

interface PlainObject {
  /** The input without the fields that have a problem. */
  readonly object: object;
  readonly problems: readonly FieldError[];
}

/** What Nest's pipe would drop or mend: fields named like a member of every object, values that are no objects. */
export const plainObject = (value: unknown): PlainObject => {
  if (value instanceof UnreadableBody) throw invalidRequest({ field: value.field, message: value.message });
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidRequest({ field: 'body', message: 'must be a JSON object' });
  }
  const problems = Object.entries(value).flatMap(([field, member]): FieldError[] => {
    const message = isInherited(field) ? 'is not known' : memberProblem(member, 1);
    return message === undefined ? [] : [{ field, message }];
  });
  if (problems.length === 0) return { object: value, problems };
  const usable = Object.entries(value).filter(([name]) => !problems.some(({ field }) => field === name));
  return { object: Object.fromEntries(usable), problems };
};

const memberProblem = (value: unknown, depth: number): string | undefined => {
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > MAX_DEPTH) return `must not be nested deeper than ${MAX_DEPTH} levels`;
  for (const [name, member] of Object.entries(value)) {
    const problem = isInherited(name) ? `must not hold a field ${name}` : memberProblem(member, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
};

const isInherited = (name: string): boolean => name in Object.prototype;
