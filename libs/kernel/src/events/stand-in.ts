/**
 * The first character of every stand-in for a personal text: U+001A, SUBSTITUTE. Accepted texts contain no control
 * characters (D7, D65), so no client can send a text that looks like a stand-in.
 */
const MARK = '\u001a';

/** Replaces a personal text whose creator's key was destroyed. */
export const ERASED = `${MARK}[erased]`;

/** Replaces a personal text whose key is missing or wrong. */
export const ENCRYPTED = `${MARK}[encrypted]`;

export const isStandIn = (value: unknown): boolean => value === ERASED || value === ENCRYPTED;

/** Whether a value contains a stand-in, at any depth. Such a value must not leave the process (D71). */
export const holdsStandIn = (value: unknown): boolean => holds(value, isStandIn);

/** Whether a value contains a text that could not be decrypted, at any depth and in texts of JSON. */
export const holdsEncrypted = (value: unknown): boolean =>
  holds(value, (text) => text.includes(ENCRYPTED.slice(1)) && ENCRYPTED_IN_TEXT.test(text));

const holds = (value: unknown, matches: (text: string) => boolean): boolean => {
  if (typeof value === 'string') return matches(value);
  if (typeof value !== 'object' || value === null) return false;
  if (ArrayBuffer.isView(value)) return false;
  return Object.values(value).some((member) => holds(member, matches));
};

/** Matches the mark, and its escape in JSON, which follows an even number of backslashes. */
const MARK_IN_TEXT = String.raw`(?:${MARK}|(?<!\\)((?:\\\\)*)\\u001a)`;
const ENCRYPTED_IN_TEXT = new RegExp(String.raw`${MARK_IN_TEXT}\[encrypted\]`);
const IN_TEXT = new RegExp(String.raw`${MARK_IN_TEXT}(\[(?:erased|encrypted)\])`);
const EACH_IN_TEXT = new RegExp(IN_TEXT, 'g');

/** The same for a text that is to be sent, JSON or not (D71). */
export const textHoldsStandIn = (text: string): boolean =>
  // The two searches are faster than the expression, and most responses need no more.
  (text.includes(MARK) || text.includes('\\u001a[')) && IN_TEXT.test(text);

/** The text with plain `[erased]` and `[encrypted]`, for the output of analysis tools. It must not be recorded. */
export const withPlainStandIns = (text: string): string =>
  textHoldsStandIn(text) ? text.replaceAll(EACH_IN_TEXT, '$1$2') : text;

/**
 * A needed personal text cannot be decrypted, because its key is missing. This is not a failure of a store: a retry
 * succeeds only after the key has been restored.
 */
export class PersonalDataUnreadable extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PersonalDataUnreadable';
  }
}
