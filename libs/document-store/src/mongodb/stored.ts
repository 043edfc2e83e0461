import type { Document, IndexDefinition } from '#kernel';
import { indexedValue } from '../indexed-value.js';

/**
 * What MongoDB keeps under an id. All of it is one member, whose first two order it, so that one `$max` by id replaces
 * it by what is later and leaves what is not: MongoDB compares documents member by member, in their order.
 *
 * The document is JSON text, which comes back as it was put, whatever a server thinks of its keys and nested arrays.
 * Beside it are the values that indexes are made of, under their own names, which begin with a letter.
 */
export interface Stored {
  /** The position that the document reflects, or that it was removed by. */
  readonly _order: number;
  /** Counts what was compared and set since: none of it gives way to a repeat of what was there before. */
  readonly _revision: number;
  readonly _document?: string;
  /** In place of `_document`, when it was removed: no older write that comes late may bring it back. */
  readonly _removedAt?: Date;
  readonly [field: string]: unknown;
}

export interface StoredDocument {
  readonly _id: string;
  readonly stored: Stored;
}

/** Only those that were not removed. */
export const PRESENT = { 'stored._document': { $exists: true } };

export const storedAs = (
  indexes: readonly IndexDefinition[],
  document: Document,
  order: number,
  revision = 0,
): StoredDocument => ({
  _id: document.id,
  stored: {
    _order: order,
    _revision: revision,
    _document: JSON.stringify(document),
    ...indexedMembers(indexes, document),
  },
});

export const storedAsRemoved = (
  indexes: readonly IndexDefinition[],
  id: string,
  order: number,
  at: Date,
): StoredDocument => ({
  _id: id,
  stored: { _order: order, _revision: 0, _removedAt: at, ...removedMembers(indexes, id) },
});

/** What the indexes need of a document. */
export const indexedMembers = (
  indexes: readonly IndexDefinition[],
  document: Document,
): Readonly<Record<string, unknown>> => {
  const members: Record<string, unknown> = {};
  for (const index of indexes) {
    const values = index.fields.map((field) => indexedValue(document, field));
    for (const [place, field] of index.fields.entries()) if (field !== 'id') members[field] = values[place];
    if (index.unique)
      members[uniqueMember(index)] = values.includes(null) ? ownKey(document.id) : JSON.stringify(values);
  }
  return members;
};

export const removedMembers = (indexes: readonly IndexDefinition[], id: string): Readonly<Record<string, unknown>> =>
  Object.fromEntries(indexes.filter(({ unique }) => unique).map((index) => [uniqueMember(index), ownKey(id)]));

/** Holds all values of a unique index as one text, so that nulls can be exempt without a partial index. */
export const uniqueMember = ({ name }: IndexDefinition): string => `_unique_${name}`;

/** No two documents have it, and no values are written like it. */
const ownKey = (id: string): string => `id:${id}`;

/** What was put as a `D` comes back as one. */
export const parsed = <D extends Document>({ stored }: Pick<StoredDocument, 'stored'>): D =>
  JSON.parse(stored._document ?? 'null') as D;

/** Of a document only these indexed fields and the id. */
export const entryOf = <E extends Document>(fields: readonly string[], { _id, stored }: StoredDocument): E => {
  // Nothing is stored beside the id where no other member was asked for.
  const values = fields.map((field) => [field, stored?.[field] ?? null]);
  return { ...Object.fromEntries(values), id: _id } as E;
};
