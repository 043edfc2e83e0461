import { readFileSync, statSync } from 'node:fs';
import { givenText } from '#kernel';

/** Variables that are secrets or may contain a password. Each can come from a file, named by `<name>_FILE`. */
const SECRETS = [
  'MASTER_KEY',
  'MASTER_KEY_PREVIOUS',
  'EVENTSTOREDB_URL',
  'MONGODB_URL',
  ...['NATIVE_PLATFORM', 'SCAN_ENGINE', 'DEINDEX_PROVIDER'].flatMap((name) => [`${name}_URL`, `${name}_TOKEN`]),
  'OIDC_CLIENT_SECRET',
  'SANDBOX_TOKEN',
];

const MAX_FILE_BYTES = 65_536;

/**
 * The environment with each secret read from its file, and the problems. A byte order mark (D107) and one line break at
 * the end of a file are ignored. The file's mode is not checked, because orchestrators mount secrets readable (D85).
 */
export const withSecretFiles = (
  environment: NodeJS.ProcessEnv,
): { readonly environment: NodeJS.ProcessEnv; readonly problems: readonly string[] } => {
  const filled = { ...environment };
  const problems: string[] = [];
  for (const name of SECRETS) {
    const file = environment[`${name}_FILE`];
    if (file === undefined) continue;
    if (environment[name] !== undefined) {
      problems.push(`${name}_FILE: must not be set together with ${name}`);
      continue;
    }
    try {
      filled[name] = contentOf(file);
    } catch (error) {
      problems.push(`${name}_FILE: ${reasonOf(error)}`);
    }
  }
  return { environment: filled, problems };
};

const contentOf = (file: string): string => {
  if (statSync(file).size > MAX_FILE_BYTES) throw new RangeError(`is larger than ${MAX_FILE_BYTES} bytes`);
  return givenText(readFileSync(file)).replace(/\r?\n$/, '');
};

const reasonOf = (error: unknown): string => {
  if (error instanceof RangeError || error instanceof TypeError) return error.message;
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unknown error';
  return `cannot be read (${code})`;
};
