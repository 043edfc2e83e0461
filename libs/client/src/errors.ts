import type { ErrorCode, ErrorDetail } from './types.js';

/** Names the class. Instances from another copy of the package also count as instances of it. */
export const knownError = (type: abstract new (...args: never[]) => Error, name: string): void => {
  const brand = Symbol.for(`@creator-protection/client/${name}`);
  Object.assign(type.prototype, { name, [brand]: true });
  Object.defineProperty(type, Symbol.hasInstance, {
    value(this: unknown, thrown: unknown) {
      // A subclass inherits this function, but no brand.
      return this === type ? brand in Object(thrown) : Function.prototype[Symbol.hasInstance].call(this, thrown);
    },
  });
};

/** The error of a rejected call, except a `TypeError` for wrong arguments and the reason of the caller's signal. */
export class CreatorProtectionError extends Error {
  static {
    knownError(CreatorProtectionError, 'CreatorProtectionError');
  }

  /** How many times the request was sent. */
  attempts = 1;
  /** The key of the call, if it has one: its own or the one that the client made. A repeat with it has no second effect. */
  idempotencyKey?: string;

  /** Includes the message, which JSON leaves out of errors. */
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

  /** The service's code; `unexpected_response` if the answer is not from the service. */
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

/** No complete answer arrived: it is unknown whether the call took effect. The same call and key settle it. */
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

/** Whether it is an error from the service, with one of these codes if any are given. */
export const isApiError = <Code extends ErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is ApiError<Code> => error instanceof ApiError && (codes.length === 0 || codes.includes(error.code as Code));
