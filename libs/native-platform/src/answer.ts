import { ContractViolation, errorCode, fence, fieldsOf, optional, text } from './fields.js';

export interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: Uint8Array;
}

/** The answer to a call whose record id cannot be part of a URL: there is no such record. */
export const NO_SUCH_RECORD: Answer = {
  status: 404,
  retryAfter: undefined,
  body: Buffer.from(JSON.stringify({ error: { code: 'not_found', message: 'not addressable' } })),
};

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The parsed body. V8's error message quotes a broken body, so it is not kept. */
export const jsonOf = ({ body }: Answer): unknown => {
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    throw new ContractViolation('the body is not JSON');
  }
};

export interface PlatformError {
  readonly code: string;
  /** With `stale_fence`, if the platform names it: the highest that it has seen. */
  readonly fence?: number;
}

/** The contract leaves it to the platform. */
const seenFence = optional(fence);

/** The contract's error envelope, or undefined if the body is none. */
export const errorOf = (answer: Answer): PlatformError | undefined => {
  try {
    const error = fieldsOf(fieldsOf(jsonOf(answer)).error);
    text(error, 'message');
    const code = errorCode(error, 'code');
    const highest = code === 'stale_fence' ? seenFence(error, 'fence') : null;
    return highest === null ? { code } : { code, fence: highest };
  } catch (error) {
    if (error instanceof ContractViolation) return undefined;
    throw error;
  }
};

/** The same request may succeed later: 429, 5xx, and 408 or 425 of a proxy on a slow connection. */
export const isTransientStatus = (status: number): boolean =>
  status === 408 || status === 425 || status === 429 || (status >= 500 && status < 600);
