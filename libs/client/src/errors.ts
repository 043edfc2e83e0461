import { knownError } from './known-error.js';
import type { ErrorCode, ErrorDetail } from './types.js';

/** What a call rejects with, except a `TypeError` for wrong arguments and the reason of the caller's signal. */
export class CreatorProtectionError extends Error {
  static {
    knownError(CreatorProtectionError, 'CreatorProtectionError');
  }

  /** How often the request was sent. */
  attempts = 1;
  /** The key of the call, if it has one: its own or the one that the client made. A repeat with it has no second effect. */
  idempotencyKey?: string;

  /** What loggers write as JSON, which would leave out the message. */
  toJSON(): object {
    return { ...this, name: this.name, message: this.message };
  }
}

export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: readonly ErrorDetail[];
  readonly requestId: string | null;
}

/** The service, or a proxy in front of it, has answered with an error. */
export class ApiError<Code extends ErrorCode = ErrorCode> extends CreatorProtectionError {
  static {
    knownError(ApiError, 'ApiError');
  }

  /** The service's code; `unexpected_response` if the answer is not one of the service. */
  readonly code: Code;
  readonly status: number;
  /** The wrong fields of `invalid_request`; empty for other codes. */
  readonly details: readonly ErrorDetail[];
  /** Names the request in the service's logs. */
  readonly requestId: string | null;
  /** Seconds after which a repeat can succeed, if the service knows. */
  readonly retryAfter: number | null;
  readonly #response: Response;

  constructor(refusal: Refusal & { readonly code: Code }, response: Response, retryAfter: number | null) {
    const { code, message, requestId } = refusal;
    const advice = response.status === 500 && requestId !== null ? REPORT_IT : '';
    super(`${message} (${response.status} ${code}${inRequest(requestId)})${advice}`);
    this.code = refusal.code;
    this.status = response.status;
    this.details = refusal.details;
    this.requestId = refusal.requestId;
    this.retryAfter = retryAfter;
    this.#response = response;
  }

  /** The raw answer; its body has not been read. */
  get response(): Response {
    return this.#response;
  }
}

const REPORT_IT = ' Report the request id to the operators of the service.';
const inRequest = (requestId: string | null): string => (requestId === null ? '' : `, request ${requestId}`);

/** No complete answer came: whether the call took effect is open. The same call settles it, with the same idempotency key. */
export class ConnectionError extends CreatorProtectionError {
  static {
    knownError(ConnectionError, 'ConnectionError');
  }
}

/** No answer came within the timeout of a try, or within the deadline of the call. */
export class TimeoutError extends ConnectionError {
  static {
    knownError(TimeoutError, 'TimeoutError');
  }
}

/** Whether it is the service's error, with one of these codes if any are given. */
export const isApiError = <Code extends ErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is ApiError<Code> => error instanceof ApiError && (codes.length === 0 || codes.includes(error.code as Code));
