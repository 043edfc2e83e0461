import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import { LoginFailure } from './login-failure.js';

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
  if (error instanceof AuthorizationResponseError)
    return new LoginFailure('refused', `the provider said ${error.error}`);
  if (error instanceof ResponseBodyError) {
    return new LoginFailure(error.status < 500 ? 'refused' : 'unavailable', `the provider said ${error.error}`);
  }
  if (error instanceof WWWAuthenticateChallengeError) {
    return new LoginFailure(error.status < 500 ? 'refused' : 'unavailable', `the provider answered ${error.status}`);
  }
  if (error instanceof ClientError) {
    return new LoginFailure(
      NO_ANSWER.has(error.code ?? '') ? 'unavailable' : 'refused',
      `${error.message} (${error.code})`,
    );
  }
  const code =
    error instanceof Error && error.cause instanceof Error && 'code' in error.cause ? error.cause.code : 'none';
  return new LoginFailure('unavailable', `${error instanceof Error ? error.message : 'no error'} (${String(code)})`);
};
