import { z } from 'zod';
import type { RefusedRecord, UserId } from '#kernel';
import { ContractViolation, type Reader, read, reasonOf, text, userId } from '../schemas.js';

/** In a query and encrypted, a longer one might not fit into a request line. */
const MAX_CURSOR_BYTES = 4_096;

const list = z.object({ data: z.custom<readonly unknown[]>(Array.isArray, 'an array') }, 'an object');
const page = list.extend({ next_cursor: text.nullable() });

export interface Records<Value, Id extends string> {
  readonly records: readonly Value[];
  readonly refused: readonly RefusedRecord<Id>[];
  /** The ids of all records with a usable one, in the order of the page. */
  readonly ids: readonly Id[];
}

export interface Listed<Value, Id extends string> {
  readonly record: Reader<Value>;
  /** The contract's name of the member that identifies a record. */
  readonly idName: string;
  readonly id: Reader<Id>;
}

/** Parses each record separately: one that breaks a bound or the contract is left out, and the others are used (D65). */
export const recordsOf = <Value, Id extends string>(
  body: unknown,
  limit: number,
  { record, idName, id: idReader }: Listed<Value, Id>,
): Records<Value, Id> => {
  const { data } = read(list, body);
  // No operation requests more than 200, so a page of more than 1,000 is refused as a whole (D65).
  if (data.length > limit) throw new ContractViolation('data is longer than the limit');
  const records: Value[] = [];
  const refused: RefusedRecord<Id>[] = [];
  const ids = new Set<Id>();
  for (const item of data) {
    const found = record.safeParse(item);
    const itsId = idReader.safeParse((item as Readonly<Record<string, unknown>> | null)?.[idName]);
    const id = itsId.success ? itsId.data : null;
    if (id !== null && ids.has(id)) refused.push({ id, reason: 'the page has the record twice' });
    else if (found.success) records.push(found.data);
    else refused.push({ id, reason: reasonOf(found.error) });
    if (id !== null) ids.add(id);
  }
  return { records, refused, ids: [...ids] };
};

export const parseOptional =
  <Value>(parse: (value: unknown) => Value) =>
  (body: unknown): Value | undefined => {
    const { data } = read(list, body);
    if (data.length > 1) throw new ContractViolation('data contains more than one record');
    return data.length === 0 ? undefined : parse(data[0]);
  };

/** A cursor, which the platform may form in any way; null on the last page. */
export const nextCursorOf = (body: unknown): string | null => {
  const cursor = read(page, body).next_cursor;
  if (cursor === '' || cursor?.isWellFormed() === false) throw new ContractViolation('next_cursor is not a cursor');
  if (Buffer.byteLength(cursor ?? '') > MAX_CURSOR_BYTES) throw new ContractViolation('next_cursor is too long');
  return cursor;
};

/**
 * The next page is asked for by the last user: one that is not in order would make a walk skip users or never end.
 * The cursor only says that there is a next page, in any text. A page without a usable `user_id` advances only if its
 * cursor is one.
 */
export const nextUserOf = (body: unknown, ids: readonly UserId[], after: UserId | undefined): UserId | null => {
  let last: string = after ?? '';
  for (const id of ids) {
    if (id <= last) throw new ContractViolation('data is not ordered by user_id');
    last = id;
  }
  const cursor = read(page, body).next_cursor;
  return cursor === null ? null : (ids.at(-1) ?? beyond(cursor, last));
};

const beyond = (cursor: string, after: string): UserId => {
  const next = userId.safeParse(cursor).data;
  if (next === undefined || next <= after) throw new ContractViolation('next_cursor does not advance');
  return next;
};

/** A page that repeats its predecessor's last record, or its cursor, would make a walk never end. */
export const requireProgress = (ids: readonly string[], nextCursor: string | null, after: string | undefined): void => {
  if (after !== undefined && (ids.includes(after) || nextCursor === after)) {
    throw new ContractViolation('the page does not advance');
  }
};
