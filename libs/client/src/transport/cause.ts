const MAX_DEPTH = 5;

/**
 * The error without what a `fetch` may have attached to it (a request with its headers): the names, messages, codes and
 * causes, with the secret replaced.
 */
export const withoutSecret = (error: unknown, secret: string, depth = 0): Error => {
  const { name, message, code, cause } = isError(error) ? error : unnamed(error);
  const shown = new Error(hide(message, secret));
  shown.name = hide(name, secret);
  shown.stack = `${shown.name}: ${shown.message}`;
  if (code !== undefined) Object.assign(shown, { code: hide(String(code), secret) });
  if (cause !== undefined && depth < MAX_DEPTH) shown.cause = withoutSecret(cause, secret, depth + 1);
  return shown;
};

/** The innermost cause: `fetch failed` says little. */
export const rootOf = (error: Error): Error => (error.cause instanceof Error ? rootOf(error.cause) : error);

interface Coded extends Error {
  readonly code?: unknown;
}

/** Not checked by class: in a test runner or a sandbox, the runtime's errors have another one. */
const isError = (thrown: unknown): thrown is Coded =>
  typeof thrown === 'object' && thrown !== null && 'message' in thrown && 'name' in thrown;

const unnamed = (thrown: unknown): Coded => ({ name: 'Error', message: String(thrown) });

export const hide = (text: string, secret: string): string => text.replaceAll(secret, 'svc_live_…');
