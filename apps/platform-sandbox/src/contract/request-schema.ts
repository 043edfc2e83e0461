import type { ContractOperation, Parameter } from './document.js';
import { closed, objectOf } from './schemas.js';

/** Of a text in a query or a header. Conversion by Ajv alone would take `1e1` and ` 5` too. */
const INTEGER = { type: 'string', pattern: '^(0|-?[1-9]\\d{0,15})$' };

/** What Fastify checks a request by. A path is not checked: a malformed id is no record. */
export function requestSchema({ method, parameters, body }: ContractOperation) {
  return {
    querystring: parametersOf(parameters.filter((parameter) => parameter.in === 'query')),
    headers: {
      ...parametersOf(parameters.filter((parameter) => parameter.in === 'header')),
      additionalProperties: true,
    },
    // Fastify reads no body of a GET.
    ...(method !== 'GET' && { body: body ? closed(body) : { type: 'null' } }),
  };
}

/** By names in lower case, as the headers of a request have them. The names of the query are in lower case too. */
function parametersOf(parameters: Parameter[]) {
  return objectOf(
    Object.fromEntries(
      parameters.map(({ name, schema }) => [
        name.toLowerCase(),
        schema.type === 'integer' ? { allOf: [INTEGER, schema] } : schema,
      ]),
    ),
    parameters.filter(({ required }) => required).map(({ name }) => name.toLowerCase()),
  );
}
