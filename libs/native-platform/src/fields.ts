import { isBlank, isBoundedText, parseTime, parseUserId, type UserId } from '#kernel';

/** D65: texts from outside are bounded in code points, so that everything that is recorded fits the store. */
export const MAX_ID_LENGTH = 200;
export const MAX_NAME_LENGTH = 200;
export const MAX_URL_LENGTH = 2_048;
const ERROR_CODE = /^[a-z0-9_.-]{1,64}$/;

/** A value is not what the contract promises. The message names fields and never contains a value. */
export class ContractViolation extends Error {}

/** An object of a response whose fields are not checked yet. */
export type Fields = Readonly<Record<string, unknown>>;

type Reader<Value> = (fields: Fields, name: string) => Value;

const violation = (name: string, expected: string) => new ContractViolation(`${name} is not ${expected}`);

export const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const fieldsOf = (value: unknown): Fields => {
  if (!isRecord(value)) throw new ContractViolation('a record is no object');
  return value;
};

/** A string of any length, for values that are only compared. */
export const text: Reader<string> = (fields, name) => {
  const value = fields[name];
  if (typeof value !== 'string') throw violation(name, 'a string');
  return value;
};

/** Whether a text says something, within its bound. */
export const isUsableText = (value: string, maxLength: number): boolean =>
  isBoundedText(value, maxLength) && !isBlank(value);

export const textUpTo =
  (maxLength: number): Reader<string> =>
  (fields, name) => {
    const value = text(fields, name);
    if (!isUsableText(value, maxLength)) throw violation(name, `a text of 1 to ${maxLength} characters`);
    return value;
  };

export const label = textUpTo(MAX_NAME_LENGTH);

export const url = textUpTo(MAX_URL_LENGTH);

/** A text that is sent back in later calls. */
export const identifier = textUpTo(MAX_ID_LENGTH);

/** A code of another system; a code that may not be recorded reads as `unrecognized`. */
export const errorCode: Reader<string> = (fields, name) => {
  const value = text(fields, name);
  return ERROR_CODE.test(value) ? value : 'unrecognized';
};

export const userId: Reader<UserId> = (fields, name) => {
  const value = parseUserId(text(fields, name));
  if (value === undefined) throw violation(name, 'a UUID');
  return value;
};

export const flag: Reader<boolean> = (fields, name) => {
  const value = fields[name];
  if (typeof value !== 'boolean') throw violation(name, 'a boolean');
  return value;
};

export const integer: Reader<number> = (fields, name) => {
  const value = fields[name];
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw violation(name, 'a safe integer');
  // JSON has -0, and the log would give it back as 0: the record would differ from itself for good.
  return value + 0;
};

export const count: Reader<number> = (fields, name) => {
  const value = integer(fields, name);
  if (value < 0) throw violation(name, 'zero or more');
  return value;
};

/** From 1, so that a call with it can be made. */
export const fence: Reader<number> = (fields, name) => {
  const value = integer(fields, name);
  if (value < 1) throw violation(name, 'a fence');
  return value;
};

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;

/** `Date` has no leap seconds, so one is read as the second before it. */
const LEAP_SECOND = /(?<=T\d\d:\d\d:)60/i;

/** RFC 3339 with any offset, as ISO 8601 in UTC. A time that `Date` cannot represent is refused. */
export const dateTime: Reader<string> = (fields, name) => {
  const value = text(fields, name);
  const at = DATE_TIME.test(value) ? parseTime(value.replace(LEAP_SECOND, '59')) : undefined;
  if (at === undefined) throw violation(name, 'a date-time');
  return new Date(at).toISOString();
};

export const oneOf =
  <Value extends string>(values: readonly Value[]): Reader<Value> =>
  (fields, name) => {
    const value = values.find((candidate) => candidate === fields[name]);
    if (value === undefined) throw violation(name, 'of the enumeration');
    return value;
  };

export const orNull =
  <Value>(reader: Reader<Value>): Reader<Value | null> =>
  (fields, name) =>
    fields[name] === null ? null : reader(fields, name);

/** The same for a text: a blank one says as little as null (D96). */
export const textOrNull =
  (reader: Reader<string>): Reader<string | null> =>
  (fields, name) => {
    const value = fields[name];
    const isNone = typeof value === 'string' && isBlank(value) && isBoundedText(value, value.length);
    return value === null || isNone ? null : reader(fields, name);
  };

/** The field is optional; a missing one reads as null. */
export const optional =
  <Value>(reader: Reader<Value>): Reader<Value | null> =>
  (fields, name) =>
    fields[name] === undefined ? null : reader(fields, name);

/** An array whose items are not checked yet. */
export const list: Reader<readonly unknown[]> = (fields, name) => {
  const value = fields[name];
  if (!Array.isArray(value)) throw violation(name, 'an array');
  return value;
};

/** The first `most` items, as parsed; what follows them is not read. */
export const listOf =
  <Item>(parse: (value: unknown) => Item, most: number): Reader<Item[]> =>
  (fields, name) =>
    list(fields, name)
      .slice(0, most)
      .map((item) => parse(item));

/** The record is the one that was requested. */
export const same = (name: string, found: string, asked: string): void => {
  if (found !== asked) throw violation(name, 'the one asked for');
};
