import { described, type JsonSchema, knownOf, listOf, objectOf, text } from '#http';
import { ERROR_CODES } from '#kernel';

const detail = objectOf({
  field: described(text, 'The wrong field; an item of a list by its index, such as `aliases[3]`.'),
  message: described(text, 'What is wrong with it, and what would be accepted.'),
});

const error = objectOf(
  {
    code: knownOf(ERROR_CODES, 'The cause, for programs.'),
    message: described(text, 'The cause, for people. Its wording may change.'),
    details: described(listOf(detail), 'The wrong fields of an `invalid_request`, at most 20.'),
  },
  ['details'],
);

export const ERROR_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Error: objectOf({ error, request_id: described(text, 'Names the request in our logs.') }, ['request_id']),
};
