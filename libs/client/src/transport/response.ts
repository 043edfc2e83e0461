import type { Answer } from '../api-call.js';
import { ApiError, ConnectionError, type Refusal } from '../errors.js';
import type { ErrorBody } from '../types.js';

/** A response whose body has arrived in full. */
export interface Arrived {
  readonly response: Response;
  readonly text: string;
}

const SHOWN_OF_A_TEXT = 200;
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** The answer to a success; throws an `ApiError` for any other status. */
export const answerOf = <Data>(arrived: Arrived, read: (arrived: Arrived) => Data): Answer<Data> => {
  const { response } = arrived;
  if (!response.ok) throw apiError(arrived);
  return { data: read(arrived), requestId: requestIdOf(response), response: unread(arrived) };
};

export const jsonOf = <Data>(arrived: Arrived): Data => {
  const { response, text } = arrived;
  const type = response.headers.get('content-type') ?? 'no content type';
  if (!/^application\/json\b/.test(type)) throw unexpected(arrived, `JSON was expected, and not ${type}`);
  try {
    return JSON.parse(text) as Data;
  } catch {
    throw new ConnectionError('The answer broke off.');
  }
};

const apiError = (arrived: Arrived): ApiError => {
  const { response, text } = arrived;
  const refusal = refusalOf(text, requestIdOf(response));
  if (refusal === undefined) return unexpected(arrived, `The answer is not one of the service`);
  return new ApiError(refusal, unread(arrived), retryAfterOf(response));
};

const unexpected = (arrived: Arrived, what: string): ApiError => {
  const { response, text } = arrived;
  const message = `${what}: ${text.slice(0, SHOWN_OF_A_TEXT)}`;
  const requestId = requestIdOf(response);
  return new ApiError(
    { code: 'unexpected_response', message, details: [], requestId },
    unread(arrived),
    retryAfterOf(response),
  );
};

const refusalOf = (text: string, requestId: string | null): Refusal | undefined => {
  try {
    const { error, request_id } = JSON.parse(text) as Partial<ErrorBody>;
    if (typeof error?.code !== 'string') return undefined;
    const { code, message, details = [] } = error;
    const fields = details.map((detail) => `${detail.field} ${detail.message}`);
    return { code, message: [message, ...fields].join(' '), details, requestId: request_id ?? requestId };
  } catch {
    return undefined;
  }
};

const requestIdOf = ({ headers }: Response): string | null => headers.get('x-request-id');

/** Seconds; a proxy may give a date. */
const retryAfterOf = ({ headers }: Response): number | null => {
  const value = headers.get('retry-after');
  if (value === null) return null;
  const seconds = /^\d+$/.test(value) ? Number(value) : Math.ceil((Date.parse(value) - Date.now()) / 1_000);
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
};

/** The same response, whose body can be read again. */
const unread = ({ response, text }: Arrived): Response => {
  const { status, statusText, headers } = response;
  return new Response(WITHOUT_BODY.has(status) ? null : text, { status, statusText, headers });
};
