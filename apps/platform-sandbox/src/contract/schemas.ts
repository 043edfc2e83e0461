import { Ajv2020 } from 'ajv/dist/2020.js';
import { parseTime } from '#kernel/ports';
import type { Schema } from './document.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;

const formats = {
  uuid: UUID,
  /** The schema's bounds say all of it. */
  int64: () => true,
  uri: (text: string) => URL.canParse(text),
  'date-time': (text: string) => DATE_TIME.test(text) && parseTime(text) !== undefined,
};
const asIs = new Ajv2020({ strict: false, formats });
const ofTexts = new Ajv2020({ strict: false, formats, coerceTypes: true });
const ignoringUnknown = new Ajv2020({ strict: false, formats, removeAdditional: 'all' });

/** For Fastify. Queries and headers are texts, of which a valid integer becomes a number. */
export function validatorOf({ schema, httpPart }: { schema: Schema; httpPart?: string }) {
  return (httpPart === 'body' ? asIs : ofTexts).compile(schema);
}

/** Says what is wrong with a value, or undefined when it fits. */
export type Problem = (value: unknown) => string | undefined;

/** For an answer, from which it takes the members that the contract doesn't name: they are to be ignored. */
export function problemWithKnown(schema: Schema): Problem {
  const validate = ignoringUnknown.compile(schema);
  return (value) => {
    if (validate(value)) return undefined;
    const error = validate.errors?.[0];
    return `${error?.instancePath.slice(1) || 'value'} ${error?.message ?? 'is invalid'}`;
  };
}

/** Of an object without further members. */
export function objectOf(properties: Readonly<Record<string, Schema>>, required: string[] = []) {
  return { type: 'object', additionalProperties: false, properties, required };
}

/** The contract is silent on unknown request fields of a POST; the sandbox refuses them, to find a caller's slips. */
export function closed(schema: Schema): Schema {
  const copy = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closeInside(value)]));
  return 'properties' in schema ? { ...copy, additionalProperties: false } : copy;
}

function closeInside(value: unknown): unknown {
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return value;
  return closed(value as Schema);
}
