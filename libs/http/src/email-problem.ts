import { isEmail } from 'class-validator';
import { MAX_EMAIL_LENGTH } from '#creators';
import { textProblem, withoutInvisible } from '#kernel';

/** Text that people paste with an address, and how to correct it. */
const PASTED: readonly (readonly [RegExp, string])[] = [
  [/^\s*[a-z][a-z\d+.-]*:/i, 'remove the text before the address, such as mailto:'],
  [/[<>]/, 'remove the angle brackets and the name'],
  [/[()]/, 'remove the parentheses and their content'],
  [/[,;]/, 'send one address, without a comma or semicolon'],
  [/^ | $/, 'remove the blanks around it'],
  [/\.{2}/, 'remove one of two periods in a row'],
  [/\.$/, 'remove the period at its end'],
];

/** Marks around or after an address in a text, which the library accepts as letters of other scripts. */
const MARKS = /(?![ -~])[\p{Ps}\p{Pe}\p{Pi}\p{Pf}]|[\u3001\u3002\uff0c\uff0e\uff1a\uff1b\uff1c\uff1e]/u;

const FAULTS: readonly (readonly [RegExp, string])[] = [
  [/^[^@]*$/, 'it needs an @'],
  [/@.*@/, 'it contains more than one @'],
  [/^[^@]{65}/u, 'at most 64 characters before the @'],
  [/ /, 'remove the blank'],
  [/^\.|\.@/, 'the part before the @ must not begin or end with a period'],
  [/@(?:\[|[\d.]+$)/, 'it needs a domain name, not an IP address'],
  [/@[^.]*$/, 'it needs a domain with a period, such as talent.example'],
];

/** Says why an email address is not valid, and how to correct it (D97). */
export const emailProblem = (email: string): string | undefined => {
  const problem = textProblem(email, MAX_EMAIL_LENGTH);
  if (problem !== undefined) return problem;
  // A quoted local part may hold spaces.
  const visible = email.replaceAll(' ', '');
  if (visible !== withoutInvisible(visible)) return 'must not contain an invisible character; remove it';
  const hasMarks = MARKS.test(email);
  if (!hasMarks && isEmail(email)) return undefined;
  const known = [...PASTED, ...FAULTS].find(([pattern]) => pattern.test(email));
  const remedy = hasMarks
    ? 'remove brackets, quotation marks and commas'
    : (known?.[1] ?? 'the part before or after the @ is not valid');
  return `must be an email address such as mia@talent.example: ${remedy}`;
};
