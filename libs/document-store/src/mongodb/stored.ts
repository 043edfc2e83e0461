import type { Document, IndexDefinition } from '#kernel';
import { indexedValue } from '../indexed-value.js';
import { bsonFields } from './bson-fields.js';

/** The adapter's bookkeeping, in addition to the document's own fields. */
export interface Meta {
  /** Position in the log that the document reflects, or at which it was removed; readers get it as `position`. */
  readonly position?: number;
  /** Of a document without a position: the number of the checkpointed write that put it. */
  readonly sequence?: number;
  /** Of the leader that changed it by compare-and-set. */
  readonly fence?: number;
  /** Number of changes by compare-and-set since it was put. */
  readonly revision: number;
  /** In place of all fields: a late write of an older version must not restore the document. */
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
export const storedAsRemoved = (id: string, order: Pick<Meta, 'position' | 'sequence'>, at: Date): StoredDocument => ({
  _id: id,
  _meta: { ...order, revision: 0, removedAt: at },
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
