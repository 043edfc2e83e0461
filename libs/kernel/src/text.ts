/** Whether a text may be recorded: no control character, no lone surrogate, at most `maxLength` code points (D65). */
export const isBoundedText = (text: string, maxLength: number): boolean =>
  isPlain(text) && !isLongerThan(text, maxLength);

const isPlain = (text: string): boolean => !/\p{Cc}/u.test(text) && text.isWellFormed();

// A text has at least as many code units as code points, and counting the code points needs an array.
const isLongerThan = (text: string, maxLength: number): boolean =>
  text.length > maxLength && (text.length > 2 * maxLength || [...text].length > maxLength);

/** What is wrong with a line of text: blank, control characters, a lone surrogate, or too long (D7); or undefined. */
export const textProblem = (text: string, maxLength: number): string | undefined => {
  if (text.trim() === '') return 'must not be blank';
  if (!isPlain(text)) return 'must not hold control characters';
  if (isLongerThan(text, maxLength)) return `must be at most ${maxLength} characters`;
  return undefined;
};
