/** What is wrong with a line of text, or undefined: blank, control characters, half a code point, or too long (D7). */
export const textProblem = (text: string, maxLength: number): string | undefined => {
  if (text.trim() === '') return 'must not be blank';
  if (/\p{Cc}/u.test(text) || !text.isWellFormed()) return 'must not hold control characters';
  // The code units are at least as many as the code points, and counting those costs an array.
  if (text.length > maxLength && [...text].length > maxLength) return `must be at most ${maxLength} characters`;
  return undefined;
};
