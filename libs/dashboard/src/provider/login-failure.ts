import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';

/** Why a login failed; the page for the person says no more. */
export type LoginProblem = 'expired' | 'refused' | 'unavailable' | 'too_many' | 'framed';

export class LoginFailure extends Error {
  constructor(
    readonly problem: LoginProblem,
    /** For the log, without tokens and claims. */
    readonly reason: string,
  ) {
    super(`${problem}: ${reason}`);
    this.name = 'LoginFailure';
  }
}

/** Errors that say nothing about the person: the provider was too slow, or its answer was not valid. */
const NO_ANSWER = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
]);

/** Keeps only the library's own words: the causes of its errors hold tokens, claims and bodies. */
export const failureOf = (error: unknown): LoginFailure => {
  if (error instanceof LoginFailure) return error;
  if (error instanceof AuthorizationResponseError) return failure(false, `the provider said ${error.error}`);
  if (error instanceof ResponseBodyError) return failure(error.status >= 500, `the provider said ${error.error}`);
  if (error instanceof WWWAuthenticateChallengeError) {
    return failure(error.status >= 500, `the provider answered ${error.status}`);
  }
  // The library has no code for a connection that fails.
  const code = error instanceof ClientError ? error.code : undefined;
  const message = error instanceof Error ? error.message : 'no error';
  return failure(code === undefined || NO_ANSWER.has(code), `${message} (${code ?? codeOfConnection(error)})`);
};

const failure = (isUnavailable: boolean, reason: string): LoginFailure =>
  new LoginFailure(isUnavailable ? 'unavailable' : 'refused', reason);

/** Such as ECONNREFUSED, which the innermost cause has. */
const codeOfConnection = (error: unknown): string => {
  const { cause, code = 'no code' }: { cause?: unknown; code?: unknown } = Object(error);
  return cause === undefined || cause === null ? String(code) : codeOfConnection(cause);
};
