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

/** Marks around or after an address in a text, which the library takes for letters of other scripts. */
const MARKS = /(?![ -~])[\p{Ps}\p{Pe}\p{Pi}\p{Pf}]|[\u3001\u3002\uff0c\uff0e\uff1a\uff1b\uff1c\uff1e]/u;

/** What keeps an address from being one. */
const FAULTS: readonly (readonly [RegExp, string])[] = [
  [/^[^@]*$/, 'it needs an @'],
  [/@.*@/, 'it holds more than one @'],
  [/^[^@]{65}/u, 'at most 64 characters before the @'],
  [/ /, 'leave out the blank'],
  [/^\.|\.@/, 'no period at the start or end of what is before the @'],
  [/@(?:\[|[\d.]+$)/, 'it needs the name of a domain, no IP address'],
  [/@[^.]*$/, 'it needs a domain with a period, such as talent.example'],
];

/** What is wrong with an email address, and what to leave out (D97). */
export const emailProblem = (email: string): string | undefined => {
  const problem = textProblem(email, MAX_EMAIL_LENGTH);
  if (problem !== undefined) return problem;
  // A quoted local part may hold spaces.
  const visible = email.replaceAll(' ', '');
  if (visible !== withoutInvisible(visible)) return 'must not hold a character that cannot be seen; leave it out';
  const hasMarks = MARKS.test(email);
  if (!hasMarks && isEmail(email)) return undefined;
  const known = [...PASTED, ...FAULTS].find(([pattern]) => pattern.test(email));
  const remedy = hasMarks
    ? 'leave out brackets, quotation marks and commas'
    : (known?.[1] ?? 'what is before or after the @ is not valid');
  return `must be an email address such as mia@talent.example: ${remedy}`;
};
