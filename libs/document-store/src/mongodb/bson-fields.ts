import type { Document } from '#kernel';

/** MongoDB reads a dot as a path and `$` as an operator; BSON ends a name at NUL; `__proto__` is no name in JavaScript. */
const isUnfit = (name: string): boolean => /^\$|\.|^__proto__$/.test(name) || name.includes('\0');
/** The names that the adapter uses for its own fields. */
const RESERVED: ReadonlySet<string> = new Set(['_id', '_meta']);
/** Document members that `_id` and `_meta` hold. */
const IN_RESERVED: ReadonlySet<string> = new Set(['id', 'position']);

type Fields = Record<string, unknown>;

/**
 * The fields of a JSON document as BSON has them. They read back as after `JSON.stringify` and `JSON.parse`: BSON keeps
 * each finite number exactly, as a 32-bit integer or a double. Throws `TypeError` for a value or a name that BSON or
 * MongoDB would not keep as it is.
 */
export const bsonFields = (document: Document): Fields => {
  const fields: Fields = {};
  for (const [name, value] of Object.entries(document)) {
    if (RESERVED.has(name)) throw new TypeError(`a document cannot have a field ${name}`);
    if (!IN_RESERVED.has(name)) add(fields, name, value);
  }
  return fields;
};

const add = (fields: Fields, name: string, value: unknown): void => {
  if (value === undefined) return;
  if (isUnfit(name)) throw new TypeError(`MongoDB cannot store a field ${JSON.stringify(name)}`);
  fields[name] = bsonValue(value);
};

const bsonValue = (value: unknown): unknown => {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  // As in JSON: 0 for -0, and null for NaN and infinities.
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : null;
  if (Array.isArray(value)) return value.map((item) => bsonValue(item ?? null));
  if (typeof value !== 'object' || !isPlain(value)) throw new TypeError(`${typeof value} is not a JSON value`);
  const fields: Fields = {};
  for (const [name, member] of Object.entries(value)) add(fields, name, member);
  return fields;
};

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};
