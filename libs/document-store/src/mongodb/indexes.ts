import type { IndexDescription } from 'mongodb';
import type { IndexDefinition } from '#kernel';
import { pathOf } from './stored.js';

/** Longer than any write can be in flight: until then the mark of a removal refuses older writes. In seconds. */
const REMOVAL_MARK_TTL = 60 * 60;

const REMOVED: IndexDescription = {
  name: '_removed',
  key: { '_meta.removedAt': 1 },
  sparse: true,
  expireAfterSeconds: REMOVAL_MARK_TTL,
};

/** The indexes of a new collection, in addition to `_id_`, which serves queries by id alone. */
export const indexesOfNew = (indexes: readonly IndexDefinition[]): IndexDescription[] => [
  REMOVED,
  ...indexes.flatMap(indexDescriptions),
];

/** A unique index needs another one for reads, because it leaves out documents. */
export const indexDescriptions = (index: IndexDefinition): IndexDescription[] => {
  const { name, fields, unique } = index;
  const forReads = { name, key: keyOf([...fields, 'id']) };
  return [...(unique ? [uniqueIndex(index)] : []), ...(fields.length > 0 ? [forReads] : [])];
};

/** Documents that have a null among the values are exempt. */
const uniqueIndex = ({ name, fields }: IndexDefinition): IndexDescription => ({
  name: `${name}_unique`,
  key: keyOf(fields),
  unique: true,
  partialFilterExpression: Object.fromEntries(fields.map((field) => [pathOf(field), { $type: ['string', 'number'] }])),
});

const keyOf = (fields: readonly string[]): Record<string, 1> =>
  Object.fromEntries(fields.map((field) => [pathOf(field), 1]));
