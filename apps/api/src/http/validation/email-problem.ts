import { isEmail } from 'class-validator';
import { MAX_EMAIL_LENGTH } from '#creators';
import { textProblem, withoutInvisible } from '#kernel';

/** What people paste together with an address, and what they have to leave out. */
const PASTED: readonly (readonly [RegExp, string])[] = [
  [/^\s*[a-z][a-z\d+.-]*:/i, 'leave out what precedes the address, such as mailto:'],
  [/[<>]/, 'leave out the angle brackets and the name'],
  [/[()]/, 'leave out the parentheses and what is in them'],
  [/[,;]/, 'send one address, and leave out the comma or semicolon'],
  [/^ | $/, 'leave out the blanks at its ends'],
  [/\.{2}/, 'leave out one of two periods in a row'],
  [/\.$/, 'leave out the period at its end'],
];

/** What is wrong with an email address, and what to leave out (D97). */
export const emailProblem = (email: string): string | undefined => {
  const problem = textProblem(email, MAX_EMAIL_LENGTH);
  if (problem !== undefined) return problem;
  // A quoted local part may hold spaces.
  const visible = email.replaceAll(' ', '');
  if (visible !== withoutInvisible(visible)) return 'must not hold a character that cannot be seen; leave it out';
  if (isEmail(email)) return undefined;
  const [, remedy = 'at most 64 characters before the @'] = PASTED.find(([pattern]) => pattern.test(email)) ?? [];
  return `must be an email address such as mia@talent.example: ${remedy}`;
};
