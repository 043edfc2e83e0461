import type { RefusedRecord, UserId } from '#kernel';
import { ContractViolation, type Fields, fieldsOf, listOf, orNull, text, userId } from '../fields.js';

/** Encrypted and in a query, a longer one might not fit into a request line. */
const MAX_CURSOR_BYTES = 4_096;

export interface Records<Value, Id extends string> {
  readonly records: readonly Value[];
  readonly refused: readonly RefusedRecord<Id>[];
  /** The ids of all records with a usable one, in the order of the page. */
  readonly ids: readonly Id[];
}

/** Parses each record separately: one that breaks a bound or the contract is left out, and the others are used (D65). */
export const recordsOf = <Value, Id extends string>(
  fields: Fields,
  limit: number,
  idOf: (fields: Fields) => Id,
  parse: (fields: Fields) => Value,
): Records<Value, Id> => {
  const { data } = fields;
  if (!Array.isArray(data)) throw new ContractViolation('data is not an array');
  // No operation asks for more than 200, so a page of more than 1,000 is refused too (D65).
  if (data.length > limit) throw new ContractViolation('data is longer than the limit');
  const records: Value[] = [];
  const refused: RefusedRecord<Id>[] = [];
  const ids = new Set<Id>();
  for (const item of data) {
    let id: Id | null = null;
    try {
      const record = fieldsOf(item);
      id = idOf(record);
      if (ids.has(id)) throw new ContractViolation('the record is on the page twice');
      ids.add(id);
      records.push(parse(record));
    } catch (error) {
      if (!(error instanceof ContractViolation)) throw error;
      refused.push({ id, reason: error.message });
    }
  }
  return { records, refused, ids: [...ids] };
};

/** What a lookup by reference finds: one record or none. */
export const parseOptional = <Value>(parse: (value: unknown) => Value) => {
  const data = listOf(parse, 2);
  return (body: unknown): Value | undefined => {
    const found = data(fieldsOf(body), 'data');
    if (found.length > 1) throw new ContractViolation('data holds more than one record');
    return found[0];
  };
};

/** A cursor, which the platform may form in any way; null on the last page. */
export const nextCursorOf = (fields: Fields): string | null => {
  if (fields.next_cursor === null) return null;
  const cursor = text(fields, 'next_cursor');
  if (cursor === '' || !cursor.isWellFormed()) throw new ContractViolation('next_cursor is no cursor');
  if (Buffer.byteLength(cursor) > MAX_CURSOR_BYTES) throw new ContractViolation('next_cursor is too long');
  return cursor;
};

/** The next page is asked for by the last user: one that is not in order would make a walk skip users or never end. */
export const requireAscending = (ids: readonly UserId[], after: UserId | undefined): void => {
  let last: string = after ?? '';
  for (const id of ids) {
    if (id <= last) throw new ContractViolation('data is not ordered by user_id');
    last = id;
  }
};

const cursor = orNull(text);

/**
 * The contract asks for the next page by the last `user_id`; the cursor only says that there is one, in any text. A
 * page without a usable `user_id` advances only if its cursor is one.
 */
export const nextUserOf = (fields: Fields, ids: readonly UserId[], after: UserId | undefined): UserId | null =>
  cursor(fields, 'next_cursor') === null ? null : (ids.at(-1) ?? beyond(fields, after ?? ''));

const beyond = (fields: Fields, after: string): UserId => {
  const next = userId(fields, 'next_cursor');
  if (next <= after) throw new ContractViolation('next_cursor does not lead on');
  return next;
};

/** A page that repeats its predecessor's last record, or its cursor, would make a walk never end. */
export const requireProgress = (ids: readonly string[], nextCursor: string | null, after: string | undefined): void => {
  if (after !== undefined && (ids.includes(after) || nextCursor === after)) {
    throw new ContractViolation('the page does not lead on');
  }
};
