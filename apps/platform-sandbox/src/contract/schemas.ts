import { Ajv2020 } from 'ajv/dist/2020.js';
import { parseTime } from '#kernel/ports';
import type { ContractOperation, Parameter, Schema } from './document.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;

const formats = {
  uuid: UUID,
  /** The schema's limits say everything. */
  int64: () => true,
  uri: (text: string) => URL.canParse(text),
  'date-time': (text: string) => DATE_TIME.test(text) && parseTime(text) !== undefined,
};
const asIs = new Ajv2020({ strict: false, formats });
const ofTexts = new Ajv2020({ strict: false, formats, coerceTypes: true });
const ignoringUnknown = new Ajv2020({ strict: false, formats, removeAdditional: 'all' });

/** For Fastify. Queries and headers are texts, and a valid integer becomes a number. */
export function validatorOf({ schema, httpPart }: { schema: Schema; httpPart?: string }) {
  return (httpPart === 'body' ? asIs : ofTexts).compile(schema);
}

/** Describes what is wrong with a value; undefined if it is valid. */
export type Problem = (value: unknown) => string | undefined;

/** For an answer: removes the members that the contract does not name, because clients ignore them. */
export function problemWithKnown(schema: Schema): Problem {
  const validate = ignoringUnknown.compile(schema);
  return (value) => {
    if (validate(value)) return undefined;
    const error = validate.errors?.[0];
    return `${error?.instancePath.slice(1) || 'value'} ${error?.message ?? 'is invalid'}`;
  };
}

/** The schema of an object that allows no other members. */
export function objectOf(properties: Readonly<Record<string, Schema>>, required: string[] = []) {
  return { type: 'object', additionalProperties: false, properties, required };
}

/** The contract is silent on unknown request fields of a POST; the sandbox refuses them, to find mistakes. */
export function closed(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema), (_name, node) =>
    node?.properties ? { ...node, additionalProperties: false } : node,
  );
}

/** An integer in a query or a header. Ajv's own conversion would also accept `1e1` and ` 5`. */
const INTEGER = { type: 'string', pattern: '^(0|-?[1-9]\\d{0,15})$' };

/** The schema with which Fastify validates a request. It leaves out the path: a malformed id is not found. */
export function requestSchema({ method, parameters, body }: ContractOperation) {
  return {
    querystring: parametersOf(parameters.filter((parameter) => parameter.in === 'query')),
    headers: {
      ...parametersOf(parameters.filter((parameter) => parameter.in === 'header')),
      additionalProperties: true,
    },
    // Fastify does not read the body of a GET.
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

/** A value without the members that the schema of an answer does not name. */
export function named(schema: Schema | undefined, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => named(schema?.items as Schema | undefined, item));
  const members = schema?.properties as Readonly<Record<string, Schema>> | undefined;
  if (members === undefined || typeof value !== 'object' || value === null) return value;
  const shown: Record<string, unknown> = {};
  const given = value as Readonly<Record<string, unknown>>;
  for (const name of Object.keys(members)) if (name in given) shown[name] = named(members[name], given[name]);
  return shown;
}
