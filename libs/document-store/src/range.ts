import type { IndexDefinition, IndexedValue, RangeQuery } from '#kernel/ports';

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
