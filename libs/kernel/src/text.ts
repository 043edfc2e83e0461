import { invalidRequest } from './errors.js';

/** For a new request: the repeat of one that was accepted before this rule is still a repeat (D96, D98). */
export function requireVisibleKey(key: string): void {
  if (isBlank(key)) throw invalidRequest({ field: 'Idempotency-Key', message: BLANK });
}

/** One invisible character (D96), including U+3164 and the blank Braille pattern. Needs the flag `u`. */
export const INVISIBLE = String.raw`[\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]`;

const EACH_INVISIBLE = new RegExp(INVISIBLE, 'gu');

export const withoutInvisible = (text: string): string => text.replaceAll(EACH_INVISIBLE, '');

/** Characters that change a visible one before them: selectors, joiners, and the tags of a flag (D33). */
const CHANGES_VISIBLE = String.raw`[\p{Variation_Selector}\p{Join_Control}\u{e0020}-\u{e007f}]`;

const VISIBLE = `(?!${INVISIBLE}).`;
const ONE_VISIBLE = new RegExp(VISIBLE, 'su');
const FROM_FIRST_TO_LAST_VISIBLE = new RegExp(`${VISIBLE}(?:.*${VISIBLE})?${CHANGES_VISIBLE}*`, 'su');

/** Without invisible characters at either end (D33, D96). */
export const withoutInvisibleEnds = (text: string): string => FROM_FIRST_TO_LAST_VISIBLE.exec(text)?.[0] ?? '';

export const isBlank = (text: string): boolean => !ONE_VISIBLE.test(text);

/** Whether a text may be recorded: no control character, no lone surrogate, at most `maxLength` code points (D65). */
export const isBoundedText = (text: string, maxLength: number): boolean =>
  !holdsControls(text) && text.isWellFormed() && !isLongerThan(text, maxLength);

const holdsControls = (text: string): boolean => /\p{Cc}/u.test(text);

// A text has at least as many code units as code points, and counting the code points needs an array.
const isLongerThan = (text: string, maxLength: number): boolean =>
  text.length > maxLength && (text.length > 2 * maxLength || [...text].length > maxLength);

export const BLANK = 'must not be blank: it needs a visible character';

/** The fault of a line of text: blank (D96), control characters, a lone surrogate, or too long (D7); or undefined. */
export const textProblem = (text: string, maxLength: number): string | undefined => {
  if (isBlank(text)) return BLANK;
  if (holdsControls(text)) return 'must not contain control characters';
  if (!text.isWellFormed()) return 'must not contain half a character, such as half of a split emoji';
  if (isLongerThan(text, maxLength)) return `must be at most ${maxLength} characters`;
  return undefined;
};

/** The text of a file that a person provides. Throws a `TypeError` that says what it is instead of UTF-8 (D107). */
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
