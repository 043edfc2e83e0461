/**
 * The first character of every stand-in for a personal text: U+001A, SUBSTITUTE. Accepted texts contain no control
 * characters (D7, D65), so no text that is sent to us begins with it (D86).
 */
const MARK = '\u001a';

/** Replaces a personal text whose creator's key was destroyed. */
export const ERASED = `${MARK}[erased]`;

/** Replaces a personal text whose key is missing or wrong. */
export const ENCRYPTED = `${MARK}[encrypted]`;

export const isStandIn = (value: unknown): value is string => typeof value === 'string' && value.startsWith(MARK);

/** Whether a value contains a stand-in, at any depth. Such a value must not leave the process (D71). */
export const holdsStandIn = (value: unknown): boolean => holds(value, isStandIn);

/** Whether a value contains a text that could not be decrypted, at any depth. */
export const holdsEncrypted = (value: unknown): boolean => holds(value, (text) => text === ENCRYPTED);

/** D86: only whole texts are compared. A part of a text, such as an escape in JSON, was written by somebody. */
const holds = (value: unknown, matches: (text: string) => boolean): boolean => {
  if (typeof value === 'string') return matches(value);
  if (typeof value !== 'object' || value === null) return false;
  if (ArrayBuffer.isView(value)) return false;
  return Object.values(value).some((member) => holds(member, matches));
};

/** The text that analysis tools show: a stand-in without its mark, so plain `[erased]` or `[encrypted]`. */
export const withoutMark = (text: string): string => (isStandIn(text) ? text.slice(MARK.length) : text);

/** The key of a required personal text is missing. No store has failed: a retry succeeds once the key is restored. */
export class PersonalDataUnreadable extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PersonalDataUnreadable';
  }
}
