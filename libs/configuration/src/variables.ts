import { resolve } from 'node:path';
import { customCleanEnv, makeValidator, type ValidatorSpec } from 'envalid';
import { withoutInvisibleEnds } from '#kernel';

const BASE64_OF_32_BYTES = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;

/** The key, or undefined if the text is not 32 bytes in base64. */
export const parseMasterKey = (text: string): Buffer | undefined =>
  BASE64_OF_32_BYTES.test(text) ? Buffer.from(text, 'base64') : undefined;

/** A validator that refuses with `problem` if `parse` returns undefined. */
export const parsedBy = <Value>(parse: (text: string) => Value | undefined, problem: string) =>
  makeValidator((text): Value => {
    const value = parse(text);
    if (value === undefined) throw new TypeError(problem);
    return value;
  });

export const matching = (pattern: RegExp, problem: string) =>
  parsedBy((text) => (pattern.test(text) ? text : undefined), problem);

/** 0 means any free port; envalid's own validator refuses it. */
export const port = makeValidator((text) => {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new TypeError('must be a port, 0 to 65535');
  return Number(text);
});

/** An empty value would mean another default: every address, or no directory. */
export const filled = makeValidator((text) => {
  if (text.trim() === '') throw new TypeError('must not be empty');
  requireClean(text);
  return text;
});

/** Absolute. A shell expands `~` and `$NAME`, an env file does not: without this, the folder would be a new one. */
export const folder = makeValidator((text) => {
  if (text.trim() === '') throw new TypeError('must not be empty');
  requireClean(text);
  if (/^~|\$(?:\w|\{)|^[a-z]{2,}:\//i.test(text)) {
    throw new TypeError('must be a path without ~, $NAME or file:, which are not expanded here');
  }
  return resolve(text);
});

const QUOTES = /^["'`\u201a\u201e\p{Pi}\p{Pf}]|["'`\p{Pi}\p{Pf}]$/u;

/** Quotes, blanks and line breaks that env files leave around a value. A folder of such a name would be a new one. */
export const requireClean = (text: string): void => {
  if (QUOTES.test(text) || /\p{Cc}/u.test(text) || withoutInvisibleEnds(text) !== text) {
    throw new TypeError('must not begin or end with a quote or a blank, or contain a control character');
  }
};

export const readVariables = <Specs extends Record<string, ValidatorSpec<unknown>>>(
  environment: NodeJS.ProcessEnv,
  specs: Specs,
) => {
  const problems: string[] = [];
  const reporter = ({ errors }: { errors: Partial<Record<string, Error>> }) => {
    for (const [name, error] of Object.entries(errors)) problems.push(`${name}: ${error?.message ?? 'is wrong'}`);
  };
  // Not `cleanEnv`, which throws at the first invalid variable, before the others are checked.
  const env = customCleanEnv(environment, specs, (checked) => checked, { reporter });
  return { env, problems };
};

export const formatProblems = (problems: readonly string[]): string =>
  `The configuration is wrong:\n${problems.map((problem) => `  ${problem}`).join('\n')}`;
