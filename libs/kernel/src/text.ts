import { isBlank } from './text/invisible.js';

/** Whether a text may be recorded: no control character, no lone surrogate, at most `maxLength` code points (D65). */
export const isBoundedText = (text: string, maxLength: number): boolean =>
  !holdsControls(text) && text.isWellFormed() && !isLongerThan(text, maxLength);

const holdsControls = (text: string): boolean => /\p{Cc}/u.test(text);

// A text has at least as many code units as code points, and counting the code points needs an array.
const isLongerThan = (text: string, maxLength: number): boolean =>
  text.length > maxLength && (text.length > 2 * maxLength || [...text].length > maxLength);

export const BLANK = 'must not be blank: nothing of it can be seen';

/** What is wrong with a line of text: blank (D96), control characters, a lone surrogate, or too long (D7); or undefined. */
export const textProblem = (text: string, maxLength: number): string | undefined => {
  if (isBlank(text)) return BLANK;
  if (holdsControls(text)) return 'must not hold control characters';
  if (!text.isWellFormed()) return 'must not hold half a character, such as one half of a cut emoji';
  if (isLongerThan(text, maxLength)) return `must be at most ${maxLength} characters`;
  return undefined;
};

/** The text of a file that a person gives. Throws a `TypeError` that says what it is instead of UTF-8 (D107). */
export const givenText = (bytes: Uint8Array): string => {
  const [first, second] = bytes;
  // A Latin letter in UTF-16 has a zero for one of its bytes.
  if (first === 0 || second === 0 || /^(?:fffe|feff)/.test(Buffer.from(bytes.subarray(0, 2)).toString('hex'))) {
    throw new TypeError('is UTF-16: save it as UTF-8');
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new TypeError('is not UTF-8');
  }
};
