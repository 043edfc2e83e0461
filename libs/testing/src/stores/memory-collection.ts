import type { CollectionDefinition, Document, IndexDefinition, RangeQuery } from '#kernel';
import {
  type Bound,
  hasValues,
  indexedValue,
  mergedDefinition,
  rangeOf,
} from '../../../document-store/src/definitions.js';
import { compareValues } from './order.js';

/** Documents that are stored or returned are never the caller's objects, and hold only JSON values. */
export const copy = <D extends Document>(document: Document): D => JSON.parse(JSON.stringify(document)) as D;

/** The documents of one collection, as private copies. A query scans all of them. */
export class MemoryCollection {
  readonly documents = new Map<string, Document>();
  private definition: CollectionDefinition;

  /** Without indexes, until it is extended by them. */
  constructor({ name, later = [] }: CollectionDefinition) {
    this.definition = { name, indexes: [], later };
  }

  extend(wanted: CollectionDefinition): void {
    const definition = mergedDefinition(this.definition, wanted);
    for (const document of this.documents.values()) {
      for (const { fields } of definition.indexes) for (const field of fields) indexedValue(document, field);
    }
    this.definition = definition;
  }

  find(query: RangeQuery): Document[] {
    const index = this.index(query.index);
    const { equals, ordered, bounds, descending, limit } = rangeOf(index, query);
    const found = [...this.documents.values()].filter(
      (document) =>
        hasValues(document, Object.fromEntries(equals)) &&
        bounds.every((bound) => isWithin(compareValues(indexedValue(document, ordered[0]), bound.value), bound)),
    );
    const compare = (one: Document, other: Document): number => {
      for (const field of ordered) {
        const difference = compareValues(indexedValue(one, field), indexedValue(other, field));
        if (difference !== 0) return difference;
      }
      return 0;
    };
    found.sort(descending ? (one, other) => compare(other, one) : compare);
    return found.slice(0, limit);
  }

  findEntries(query: RangeQuery): Document[] {
    const { fields } = this.index(query.index);
    const valuesOf = (document: Document) => fields.map((field) => [field, indexedValue(document, field)]);
    return this.find(query).map((document) => ({ id: document.id, ...Object.fromEntries(valuesOf(document)) }));
  }

  /** Returns a function that undoes it. */
  put(document: Document): () => void {
    for (const { fields } of this.definition.indexes) for (const field of fields) indexedValue(document, field);
    const undo = this.remove(document.id);
    this.documents.set(document.id, copy(document));
    return () => {
      this.remove(document.id);
      undo();
    };
  }

  /** Returns a function that undoes it. */
  remove(id: string): () => void {
    const before = this.documents.get(id);
    if (before === undefined) return () => undefined;
    this.documents.delete(id);
    return () => {
      this.put(before);
    };
  }

  private index(wanted: string): IndexDefinition {
    const index = this.definition.indexes.find(({ name }) => name === wanted);
    if (index === undefined) throw new Error(`${this.definition.name} has no index ${wanted}`);
    return index;
  }
}

const isWithin = (difference: number, { operator }: Bound): boolean => {
  switch (operator) {
    case '>':
      return difference > 0;
    case '>=':
      return difference >= 0;
    case '<':
      return difference < 0;
    case '<=':
      return difference <= 0;
  }
};
