import type { Document, IndexedValue } from '#kernel/ports';

export const indexedValue = (document: Document, field: string): IndexedValue => {
  const value: unknown = Reflect.get(document, field) ?? null;
  if (value === null || typeof value === 'string' || Number.isFinite(value)) return value as IndexedValue;
  throw new TypeError(`${field} of ${document.id} is indexed, and neither a string nor a finite number nor null`);
};

/** Whether the document has these top-level values; a missing one counts as null. */
export const hasValues = (document: Document, expected: Readonly<Record<string, IndexedValue>>): boolean =>
  Object.entries(expected).every(([field, value]) => (Reflect.get(document, field) ?? null) === value);
