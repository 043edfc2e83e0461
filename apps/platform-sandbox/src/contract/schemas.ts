import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
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
const ignoringUnknown = new Ajv2020({ strict: false, formats, removeAdditional: 'all' });

/** Says what is wrong with a value, or undefined when it fits. */
export type Problem = (value: unknown) => string | undefined;

export function problemWith(schema: Schema): Problem {
  return problemOf(asIs.compile(schema));
}

/** The same for an answer, from which it takes the members that the contract doesn't name: they are to be ignored. */
export function problemWithKnown(schema: Schema): Problem {
  return problemOf(ignoringUnknown.compile(schema));
}

function problemOf(validate: ValidateFunction): Problem {
  return (value) => {
    if (validate(value)) return undefined;
    const error = validate.errors?.[0];
    return `${error?.instancePath.slice(1) || 'value'} ${error?.message ?? 'is invalid'}`;
  };
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
