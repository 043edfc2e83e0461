import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';

/** Codes of answers that say nothing about the person: the provider was too slow, or answered nonsense. */
const NO_ANSWER = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
]);

/** The causes of the library's errors hold tokens, claims and bodies: only its own words are kept. */
export const failureOf = (error: unknown): LoginFailure => {
  if (error instanceof LoginFailure) return error;
  if (error instanceof AuthorizationResponseError) return failure(false, `the provider said ${error.error}`);
  if (error instanceof ResponseBodyError) return failure(error.status >= 500, `the provider said ${error.error}`);
  if (error instanceof WWWAuthenticateChallengeError) {
    return failure(error.status >= 500, `the provider answered ${error.status}`);
  }
  // The library has no code for a connection that fails.
  const code = error instanceof ClientError ? error.code : undefined;
  return failure(code === undefined || NO_ANSWER.has(code), `${messageOf(error)} (${code ?? codeOfConnection(error)})`);
};

const failure = (isUnavailable: boolean, reason: string): LoginFailure =>
  new LoginFailure(isUnavailable ? 'unavailable' : 'refused', reason);

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : 'no error');

/** Such as ECONNREFUSED, which stands in the innermost cause. */
const codeOfConnection = (error: unknown): string => {
  const { cause, code = 'no code' }: { cause?: unknown; code?: unknown } = Object(error);
  return cause === undefined || cause === null ? String(code) : codeOfConnection(cause);
};

/** Why somebody is not signed in; the page for them says no more. */
export type LoginProblem = 'expired' | 'refused' | 'unavailable' | 'too_many' | 'framed';

export class LoginFailure extends Error {
  constructor(
    readonly problem: LoginProblem,
    /** For the log: what was wrong, without tokens and claims. */
    readonly reason: string,
  ) {
    super(`${problem}: ${reason}`);
    this.name = 'LoginFailure';
  }
}
