import type { Filter } from 'mongodb';
import type { IndexDefinition, RangeQuery } from '#kernel';
import { type Bound, rangeOf } from '../definitions.js';
import { PRESENT, pathOf, type StoredDocument } from './stored.js';

interface RangeFilter {
  readonly filter: Filter<StoredDocument>;
  readonly sort: Readonly<Record<string, 1 | -1>>;
  readonly limit: number;
}

export const rangeFilter = (index: IndexDefinition, query: RangeQuery): RangeFilter => {
  const { equals, ordered, bounds, descending, limit } = rangeOf(index, query);
  const direction = descending ? -1 : 1;
  return {
    filter: {
      ...PRESENT,
      ...Object.fromEntries(equals.map(([field, value]) => [pathOf(field), value])),
      ...(bounds.length > 0 && { [pathOf(ordered[0])]: Object.assign({}, ...bounds.map(boundFilter(bounds))) }),
    },
    sort: Object.fromEntries(ordered.map((field) => [pathOf(field), direction])),
    limit,
  };
};

const OPERATORS = { '>': '$gt', '>=': '$gte', '<': '$lt', '<=': '$lte' } as const;
const OPPOSITE = { '<': '$gte', '<=': '$gt' } as const;

/** A comparison matches only values of the bound's type. A range that includes nulls excludes what is beyond it. */
const boundFilter =
  (all: readonly Bound[]) =>
  ({ operator, value }: Bound): object => {
    const isOpenBelow = all.every((bound) => bound.operator === '<' || bound.operator === '<=');
    if (!isOpenBelow || operator === '>' || operator === '>=') return { [OPERATORS[operator]]: value };
    return { $not: { [OPPOSITE[operator]]: value } };
  };
