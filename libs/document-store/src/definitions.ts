import type { CollectionDefinition, Document, IndexDefinition, IndexedValue, RangeQuery } from '#kernel/ports';

export interface Bound {
  readonly operator: '>' | '>=' | '<' | '<=';
  readonly value: string | number;
}

export interface Range {
  readonly equals: readonly (readonly [field: string, value: IndexedValue])[];
  /** The sort keys, the most significant first. The bounds are for the first of them, and the last one is the id. */
  readonly ordered: readonly [string, ...string[]];
  readonly bounds: readonly Bound[];
  readonly descending: boolean;
  readonly limit: number;
}

export const rangeOf = (index: IndexDefinition, query: RangeQuery): Range => {
  const { equals = [], order = 'ascending', limit } = query;
  if (equals.length > index.fields.length)
    throw new TypeError(`index ${index.name} has fewer fields than the query has values`);
  if (!Number.isSafeInteger(limit) || limit < 0) throw new TypeError(`${limit} is not a valid limit`);
  const [first = 'id', ...rest] = [...index.fields.slice(equals.length), 'id'];
  return {
    equals: index.fields.slice(0, equals.length).map((field, n) => [field, equals[n] ?? null]),
    ordered: [first, ...rest],
    bounds: boundsOf(query),
    descending: order === 'descending',
    limit,
  };
};

const boundsOf = ({ gt, gte, lt, lte }: RangeQuery): Bound[] => {
  const bounds: Bound[] = [];
  if (gt !== undefined) bounds.push({ operator: '>', value: gt });
  if (gte !== undefined) bounds.push({ operator: '>=', value: gte });
  if (lt !== undefined) bounds.push({ operator: '<', value: lt });
  if (lte !== undefined) bounds.push({ operator: '<=', value: lte });
  return bounds;
};

export const indexedValue = (document: Document, field: string): IndexedValue => {
  const value: unknown = Reflect.get(document, field) ?? null;
  if (value === null || typeof value === 'string' || Number.isFinite(value)) return value as IndexedValue;
  throw new TypeError(`${field} of ${document.id} is indexed, and neither a string nor a finite number nor null`);
};

/** Whether the document has these top-level values; a missing one counts as null. */
export const hasValues = (document: Document, expected: Readonly<Record<string, IndexedValue>>): boolean =>
  Object.entries(expected).every(([field, value]) => (Reflect.get(document, field) ?? null) === value);

const NAME = /^(?!sqlite_)[a-z][a-z0-9_]{0,62}$/i;

/** Refuses a name that one of the stores would have to change. */
export const validName = (name: string): string => {
  if (!NAME.test(name))
    throw new TypeError(`${JSON.stringify(name)} is not a valid name of a collection, an index or a field`);
  return name;
};

/** The fields of all indexes, including those that are created later, each once. The id is always included. */
export const indexedFields = ({ indexes, later = [] }: CollectionDefinition): string[] =>
  [...new Set([...indexes, ...later].flatMap(({ fields }) => fields))].filter((field) => field !== 'id');

export const mergedDefinition = (
  there: CollectionDefinition | undefined,
  wanted: CollectionDefinition,
): CollectionDefinition => {
  const name = validName(wanted.name);
  for (const index of [...wanted.indexes, ...(wanted.later ?? [])]) {
    validName(index.name);
    index.fields.forEach(validName);
  }
  const missing = wanted.indexes.filter((index) => {
    const known = there?.indexes.find((other) => other.name === index.name);
    const expected = known ?? there?.later?.find((other) => other.name === index.name) ?? index;
    if (expected.fields.join() !== index.fields.join()) {
      throw new Error(`index ${index.name} of ${name} has another definition; give the new definition another name`);
    }
    return known === undefined;
  });
  if (there !== undefined && missing.length === 0) return there;
  const { later = [] } = there ?? wanted;
  const still = later.filter((index) => !missing.some((other) => other.name === index.name));
  return { name, indexes: [...(there?.indexes ?? []), ...missing], ...(still.length > 0 && { later: still }) };
};
