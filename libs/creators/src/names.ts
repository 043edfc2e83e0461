/** Lengths count Unicode code points (D7). */
export const MAX_DISPLAY_NAME_LENGTH = 160;
export const MAX_ALIAS_LENGTH = 160;
export const MAX_EXTERNAL_ID_LENGTH = 200;
export const MAX_ALIASES_PER_REQUEST = 30;
export const MAX_PROFILE_URLS_PER_REQUEST = 20;
export const MAX_EMAIL_LENGTH = 254;
export const MAX_PERSON_NAME_LENGTH = 100;
export const MAX_WORKSPACE_ID_LENGTH = 200;

/** What is wrong with a line of text, or undefined: blank, control characters, half a code point, or too long (D7). */
export const textProblem = (text: string, maxLength: number): string | undefined => {
  if (text.trim() === '') return 'must not be blank';
  if (/\p{Cc}/u.test(text) || !text.isWellFormed()) return 'must not hold control characters';
  // The code units are at least as many as the code points, and counting those costs an array.
  if (text.length > maxLength && [...text].length > maxLength) return `must be at most ${maxLength} characters`;
  return undefined;
};

/** The form in which aliases are kept and compared (D33). */
export const normalAlias = (alias: string): string => alias.trim().normalize('NFC');

/** Without the repeats, in the order of first appearance. */
export const distinctAliases = (aliases: readonly string[]): string[] => [...new Set(aliases.map(normalAlias))];

/** One `@` between something and a host name: whether mail arrives, the platform finds out. */
const EMAIL = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/;

export const emailProblem = (email: string): string | undefined =>
  textProblem(email, MAX_EMAIL_LENGTH) ?? (EMAIL.test(email) ? undefined : 'must be an email address');

/** D25: an automatic external id belongs to that very user. */
export const externalIdProblem = (externalId: string, userId: string | undefined): string | undefined =>
  externalId.startsWith('svc:') && (userId === undefined || externalId !== `svc:${userId}`)
    ? 'must not begin with svc: unless it is the automatic one of svc_user_id'
    : undefined;
