import { ID_PREFIXES, type IdKind } from '#kernel';

/** The part of JSON Schema that the document uses; OpenAPI 3.1 includes it unchanged. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly description?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly maxItems?: number;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly $ref?: string;
  readonly example?: unknown;
  /** The values known today of a set that may grow without notice (D103). */
  readonly 'x-extensible-enum'?: readonly string[];
}

const CONTROLS = String.raw`\x00-\x1f\x7f-\x9f`;

/**
 * D7, D96: no control characters, and at least one that can be seen. Beyond U+00FF, invisible characters pass here: the
 * syntax that RE2, ECMAScript and Python share has no escape for them.
 */
export const TEXT_PATTERN = `^[^${CONTROLS}]*[^ \\xa0\\xad${CONTROLS}][^${CONTROLS}]*$`;

export type Members<Shape> = { readonly [Name in keyof Shape]-?: JsonSchema };

export const text: JsonSchema = { type: 'string' };
export const flag: JsonSchema = { type: 'boolean' };
export const count: JsonSchema = { type: 'integer', minimum: 0 };
export const cents: JsonSchema = { type: 'integer', format: 'int64', minimum: 0 };
export const amount: JsonSchema = { type: 'number', format: 'double', minimum: 0 };
export const instant: JsonSchema = { type: 'integer', format: 'int64', description: 'Unix epoch milliseconds.' };
export const isoTime: JsonSchema = { type: 'string', format: 'date-time' };

/** A boolean with one value. In words, because generators would make clients that refuse it or do not compile. */
export const always = (value: boolean, why: string): JsonSchema => ({
  type: 'boolean',
  description: `Always \`${value}\`: ${why}`,
});
export const live = always(false, 'the service runs in live mode only.');

export const orNull = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  type: [schema.type ?? 'string', 'null'].flat(),
});

/** A set that the specification closes. */
export const oneOf = (...values: readonly string[]): JsonSchema => ({ type: 'string', enum: values });

/** A set that may get more values without notice (D103). */
export const knownOf = (values: readonly string[], description: string): JsonSchema => ({
  type: 'string',
  description: `${description} Known values: ${values.map((value) => `\`${value}\``).join(', ')}. More may follow.`,
  'x-extensible-enum': values,
});

export const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items });

/** An id is opaque (D103) after the prefix of its kind. */
export const idOf = (kind: IdKind): JsonSchema => ({ type: 'string', pattern: `^${ID_PREFIXES[kind]}_` });

export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** An object with at least these members (D103); the optional ones may be missing. */
export const objectOf = <Shape>(
  properties: Members<Shape>,
  optional: readonly (keyof Shape & string)[] = [],
): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.some((candidate) => candidate === name)),
});

export const described = (schema: JsonSchema, description: string): JsonSchema => ({ ...schema, description });

/** Equal to the type of the parameter `after`, to which it is passed. */
const nextCursor = described(orNull(text), 'The `after` of the next page; null on the last page. Opaque.');

export const pageOf = (items: JsonSchema): JsonSchema =>
  objectOf({ data: listOf(items), next_cursor: nextCursor, simulated: live });
