import { type CollectionDefinition, type Document, DuplicateKey, type IndexDefinition, type RangeQuery } from '#kernel';
import { mergedDefinition } from '../../../document-store/src/definitions.js';
import { hasValues, indexedValue } from '../../../document-store/src/indexed-value.js';
import { type Bound, rangeOf } from '../../../document-store/src/range.js';
import { compareValues } from './order.js';

/** What is stored and returned is never the caller's object, and holds only JSON values. */
export const copy = <D extends Document>(document: Document): D => JSON.parse(JSON.stringify(document)) as D;

/** The documents of one collection, as private copies. A query scans all of them. */
export class MemoryCollection {
  readonly documents = new Map<string, Document>();
  private readonly owners = new Map<IndexDefinition, Map<string, string>>();
  private definition: CollectionDefinition;

  /** Without indexes, until it is extended by them. */
  constructor({ name, later = [] }: CollectionDefinition) {
    this.definition = { name, indexes: [], later };
  }

  extend(wanted: CollectionDefinition): void {
    const definition = mergedDefinition(this.definition, wanted);
    const missing = definition.indexes.filter((index) => index.unique === true && !this.owners.has(index));
    const filled = missing.map((index) => [index, new Map<string, string>()] as const);
    for (const document of this.documents.values()) {
      for (const { fields } of definition.indexes) for (const field of fields) indexedValue(document, field);
      for (const [index, owners] of filled) this.own(index, owners, document);
    }
    for (const [index, owners] of filled) this.owners.set(index, owners);
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
    try {
      for (const [index, owners] of this.owners) this.own(index, owners, document);
    } catch (error) {
      this.disown(document);
      undo();
      throw error;
    }
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
    this.disown(before);
    return () => {
      this.put(before);
    };
  }

  private index(wanted: string): IndexDefinition {
    const index = this.definition.indexes.find(({ name }) => name === wanted);
    if (index === undefined) throw new Error(`${this.definition.name} has no index ${wanted}`);
    return index;
  }

  private own({ fields }: IndexDefinition, owners: Map<string, string>, document: Document): void {
    const values = fields.map((field) => indexedValue(document, field));
    if (values.includes(null)) return;
    const key = JSON.stringify(values);
    if ((owners.get(key) ?? document.id) !== document.id) throw new DuplicateKey(this.definition.name);
    owners.set(key, document.id);
  }

  private disown(document: Document): void {
    for (const [{ fields }, owners] of this.owners) {
      const key = JSON.stringify(fields.map((field) => indexedValue(document, field)));
      if (owners.get(key) === document.id) owners.delete(key);
    }
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
