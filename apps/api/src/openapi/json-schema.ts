import { INVISIBLE } from '#kernel';

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

/** D7, D96: no control characters, and at least one character that can be seen. */
export const TEXT_PATTERN = `^\\P{Cc}*(?!${INVISIBLE})\\P{Cc}+$`;

/** A schema for each member of the type, and no other. */
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

/** A page of a collection. */
export const pageOf = (items: JsonSchema, cursor: JsonSchema & { readonly type?: string }): JsonSchema =>
  objectOf({ data: listOf(items), next_cursor: orNull(cursor), simulated: live });
