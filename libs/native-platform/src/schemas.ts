import { z } from 'zod';
import { isBlank, isBoundedText, parseTime, parseUserId } from '#kernel';

/** D65: texts from outside are bounded in code points, so that everything that is recorded fits the store. */
export const MAX_ID_LENGTH = 200;
export const MAX_NAME_LENGTH = 200;
export const MAX_URL_LENGTH = 2_048;
const ERROR_CODE = /^[a-z0-9_.-]{1,64}$/;

/** A value is not what the contract promises. The message names a field and never contains a value. */
export class ContractViolation extends Error {}

/** A string of any length, for values that are only compared. */
export const text = z.string('a string');

/** Whether a text says something, within its bound. */
export const isUsableText = (value: string, maxLength: number): boolean =>
  isBoundedText(value, maxLength) && !isBlank(value);

/** A longer text ends its checks: the next ones would read all of it. */
export const textUpTo = (maxLength: number) =>
  text.refine((value) => isUsableText(value, maxLength), {
    error: `a text of 1 to ${maxLength} characters`,
    abort: true,
  });

export const label = textUpTo(MAX_NAME_LENGTH);
export const url = textUpTo(MAX_URL_LENGTH);
/** A text that is sent back in later calls. */
export const identifier = textUpTo(MAX_ID_LENGTH);

/** A code from another system; a code that may not be recorded reads as `unrecognized`. */
export const errorCode = text.overwrite((code) => (ERROR_CODE.test(code) ? code : 'unrecognized'));

/** The text as `parse` returns it. A check that replaces its value costs a tenth of a transform of zod. */
const parsedText = <Value extends string>(parse: (value: string) => Value | undefined, expected: string) =>
  text.check((payload) => {
    const value = parse(payload.value);
    if (value === undefined) payload.issues.push({ code: 'custom', message: expected, input: payload.value });
    else payload.value = value;
  }) as unknown as z.ZodType<Value>;

export const userId = parsedText(parseUserId, 'a UUID');

export const flag = z.boolean('a boolean');

// JSON has -0, and the log would return it as 0: the record would always differ from itself.
export const integer = z.int('a safe integer').overwrite((value) => value + 0);
export const count = integer.min(0, 'zero or more');
/** From 1, so that a call with it can be made. */
export const fence = integer.min(1, 'a fence');

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;
/** `Date` has no leap seconds, so a leap second is read as the second before it. */
const LEAP_SECOND = /(?<=T\d\d:\d\d:)60/i;

/** RFC 3339 with any offset, as ISO 8601 in UTC. A time that `Date` cannot represent is refused. */
export const dateTime = parsedText((value) => {
  const at = DATE_TIME.test(value) ? parseTime(value.replace(LEAP_SECOND, '59')) : undefined;
  return at === undefined ? undefined : new Date(at).toISOString();
}, 'a date-time');

export const oneOf = <const Values extends readonly string[]>(values: Values) => z.enum(values, 'of the enumeration');

/** A text or null. A blank text says as little as null (D96). */
export const textOrNull = (maxLength: number) =>
  text
    .nullable()
    .overwrite((value) => (value !== null && isBlank(value) && isBoundedText(value, value.length) ? null : value))
    .refine((value) => value === null || isUsableText(value, maxLength), `a text of 1 to ${maxLength} characters`);

type CamelCase<Name> = Name extends `${infer First}_${infer Rest}` ? `${First}${Capitalize<CamelCase<Rest>>}` : Name;
type CamelCased<Value> = {
  -readonly [Name in keyof Value as CamelCase<Name>]-?: undefined extends Value[Name]
    ? Exclude<Value[Name], undefined> | null
    : Value[Name];
};

/** Reads a value of the contract. */
export interface Reader<Value> {
  safeParse(value: unknown): { success: true; data: Value } | { success: false; error: z.ZodError };
}

export const mapped = <From, To>(reader: Reader<From>, map: (value: From) => To): Reader<To> => ({
  safeParse(value) {
    const result = reader.safeParse(value);
    return result.success ? { success: true, data: map(result.data) } : result;
  },
});

/**
 * An object of the contract, whose members get this service's names. A missing member reads as null. Members that the
 * contract does not name are dropped.
 */
export const record = <Shape extends z.ZodRawShape>(shape: Shape) => {
  const names = Object.keys(shape).map(
    (name) => [name, name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())] as const,
  );
  return mapped(z.object(shape, 'an object'), (value) => {
    const camelCased: Record<string, unknown> = {};
    const given: Readonly<Record<string, unknown>> = value;
    for (const [name, itsName] of names) camelCased[itsName] = given[name] ?? null;
    return camelCased as CamelCased<typeof value>;
  });
};

/** The problem of the first field that has one. */
export const reasonOf = ({ issues: [issue] }: z.ZodError): string => {
  const field = issue?.path.join('.') || 'the record';
  return `${field} is not ${issue?.message}`;
};

/** Throws `ContractViolation`. */
export const read = <Value>(reader: Reader<Value>, value: unknown): Value => {
  const result = reader.safeParse(value);
  if (result.success) return result.data;
  throw new ContractViolation(reasonOf(result.error));
};

export const same = (name: string, found: string, asked: string): void => {
  if (found !== asked) throw new ContractViolation(`${name} is not the requested one`);
};
