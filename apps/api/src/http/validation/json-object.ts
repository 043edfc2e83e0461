import { type FieldError, invalidRequest } from '#kernel';
import { UnreadableBody } from '../json-body.js';

/** Far more than any body of this API needs; class-transformer recurses, and exhausts the stack at some thousand. */
const MAX_DEPTH = 32;

/**
 * Refuses what class-transformer would drop without an error: fields named like a member of every object, such as
 * `constructor`. Also refuses values that are not objects, and those that are nested too deep.
 */
export const assertJsonObject = (value: unknown): void => {
  if (value instanceof UnreadableBody) throw invalidRequest({ field: value.field, message: value.message });
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidRequest({ field: 'body', message: 'must be a JSON object' });
  }
  const problems: FieldError[] = [];
  for (const field of Object.keys(value)) {
    const member = isInherited(field) ? 'is not known' : memberProblem((value as Record<string, unknown>)[field], 1);
    if (member !== undefined) problems.push({ field, message: member });
  }
  if (problems.length > 0) throw invalidRequest(...problems);
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
