export interface ErrorDetail {
  readonly field?: string;
  readonly message: string;
}

/** What the server refused, with the id under which its log has the request. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly requestId: string | null,
    readonly details: readonly ErrorDetail[] = [],
  ) {
    super(message);
  }
}

/** No answer, or one that is not from the service: it restarts, or the network is down. */
export class Unreachable extends Error {
  constructor(cause?: unknown) {
    super('The service cannot be reached. This page tries again every 2 seconds.', { cause });
  }
}

export const isSessionEnd = (error: unknown): boolean => error instanceof ApiError && error.code === 'session_required';
