import type { Document, IndexDefinition, Position } from '#kernel';
import { indexedValue } from '../definitions.js';

/** MongoDB reads a dot as a path and `$` as an operator; BSON ends a name at NUL; `__proto__` is no name in JavaScript. */
const isUnfit = (name: string): boolean => /^\$|\.|^__proto__$/.test(name) || name.includes('\0');
const RESERVED: ReadonlySet<string> = new Set(['_id', '_meta']);
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

export interface Meta {
  /** Position in the log that the document reflects, or at which it was removed; readers get it as `position`. */
  readonly position?: number;
  readonly fence?: number;
  readonly revision: number;
  /** Instead of all fields: a late write of an older version must not restore the document. */
  readonly removedAt?: Date;
}

export interface StoredDocument {
  readonly _id: string;
  readonly _meta: Meta;
  readonly [field: string]: unknown;
}

export const PRESENT = { '_meta.removedAt': { $exists: false } };

export const isPresent = ({ _meta }: StoredDocument): boolean => _meta.removedAt === undefined;

export const pathOf = (field: string): string => {
  if (field === 'id') return '_id';
  return field === 'position' ? '_meta.position' : field;
};

export const positionOf = (document: Document): number | undefined => {
  const position: unknown = Reflect.get(document, 'position');
  if (position === undefined || typeof position === 'number') return position;
  throw new TypeError(`the position of ${document.id} is not a number`);
};

/** Throws `TypeError` if a value cannot be indexed, or MongoDB cannot store a field. */
export const storedAs = (
  indexed: readonly string[],
  document: Document,
  meta: Omit<Meta, 'position'> = { revision: 0 },
): StoredDocument => {
  for (const field of indexed) indexedValue(document, field);
  const position = positionOf(document);
  return { _id: document.id, ...bsonFields(document), _meta: { ...(position !== undefined && { position }), ...meta } };
};

/** The mark of a removal. It has no fields, so indexes of fields treat it as a document that has only nulls. */
export const storedAsRemoved = (id: string, position: Position | undefined, at: Date): StoredDocument => ({
  _id: id,
  _meta: { ...(position !== undefined && { position }), revision: 0, removedAt: at },
});

export const documentOf = <D extends Document>({ _id, _meta, ...fields }: StoredDocument): D => {
  const document: Document = { id: _id, ...fields, ...(_meta.position !== undefined && { position: _meta.position }) };
  return document as D;
};

/** Only the id of a document and the fields of an index. `_meta` is missing unless the position is one of them. */
export const entryOf = <E extends Document>(
  { fields }: IndexDefinition,
  { _id, _meta, ...stored }: Partial<StoredDocument>,
): E => {
  const fieldOf = (field: string) => (field === 'position' ? _meta?.position : stored[field]) ?? null;
  return { ...Object.fromEntries(fields.map((field) => [field, fieldOf(field)])), id: _id } as E;
};
