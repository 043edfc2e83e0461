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
