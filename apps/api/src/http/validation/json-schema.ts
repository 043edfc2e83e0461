/** The part of JSON Schema that the document uses; OpenAPI 3.1 includes it unchanged. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
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
  readonly minProperties?: number;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema | false>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly allOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly $ref?: string;
  readonly examples?: readonly unknown[];
}

const CONTROLS = String.raw`\u0000-\u001f\u007f-\u009f`;
const INVISIBLE = String.raw`\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb`;

/**
 * D7, D96: no control characters, and at least one character that can be seen. Without classes of Unicode, which the
 * expressions of some languages lack, so that the rarest of the invisible characters pass here.
 */
export const TEXT_PATTERN = `^[^${CONTROLS}]*[^\\s${CONTROLS}${INVISIBLE}][^${CONTROLS}]*$`;

export type Members<Shape> = { readonly [Name in keyof Shape]-?: JsonSchema };

export const text: JsonSchema = { type: 'string' };
export const flag: JsonSchema = { type: 'boolean' };
export const count: JsonSchema = { type: 'integer', minimum: 0 };
export const instant: JsonSchema = { type: 'integer', description: 'Unix epoch milliseconds.' };
export const isoTime: JsonSchema = { type: 'string', format: 'date-time' };
export const live: JsonSchema = { const: false, description: 'The service runs in live mode only.' };

export const orNull = (schema: JsonSchema & { readonly type?: string }): JsonSchema => ({
  ...schema,
  type: [schema.type ?? 'string', 'null'],
});

export const oneOf = (...values: readonly string[]): JsonSchema => ({ type: 'string', enum: values });

export const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items });

/** An id of one kind: its prefix and 26 characters of base32 (D12). */
export const idOf = (prefix: string): JsonSchema => ({
  type: 'string',
  pattern: `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`,
});

export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** An object with exactly these members; the optional ones may be missing. */
export const objectOf = <Shape>(
  properties: Members<Shape>,
  optional: readonly (keyof Shape & string)[] = [],
): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.some((candidate) => candidate === name)),
  additionalProperties: false,
});

export const pageOf = (items: JsonSchema, cursor: JsonSchema & { readonly type?: string }): JsonSchema =>
  objectOf({ data: listOf(items), next_cursor: orNull(cursor), simulated: live });
