import type { Answer } from '../api-call.js';
import { ApiError, ConnectionError, type Refusal } from '../errors.js';
import type { ErrorBody } from '../types.js';
import { hide } from './cause.js';

/** A response whose body has arrived in full. */
export interface Arrived {
  readonly response: Response;
  readonly text: string;
  /** A proxy may show the request, with its key, in its answer. */
  readonly secret: string;
}

const SHOWN_OF_A_TEXT = 300;
/** Of a body: a page of 100 items has less than a megabyte. */
const MAX_BYTES = 32 * 1024 * 1024;
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** A body that has no end fills no memory. */
export const arrivedOf = async (response: Response, secret: string): Promise<Arrived> => {
  const [reader, decoder] = [response.body?.getReader(), new TextDecoder()];
  let text = '';
  for (let size = 0; ; ) {
    const { value } = (await reader?.read()) ?? {};
    if (value === undefined) return { response, text: text + decoder.decode(), secret };
    size += value.length;
    if (size > MAX_BYTES) {
      await reader?.cancel();
      throw unexpected({ response, text: '', secret }, `The answer has more than ${MAX_BYTES} bytes`);
    }
    text += decoder.decode(value, { stream: true });
  }
};

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
  const data = parsed(text);
  if (typeof data !== 'object' || data === null) throw unexpected(arrived, 'An object was expected');
  return data as Data;
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new ConnectionError('The answer broke off.');
  }
};

const apiError = (arrived: Arrived): ApiError => {
  const { response, text, secret } = arrived;
  const refusal = refusalOf(hide(text, secret), requestIdOf(response));
  if (refusal === undefined) return unexpected(arrived, whatIs(response));
  return new ApiError(refusal, unread(arrived), retryAfterOf(response));
};

/** A redirect is not followed: the key is for the service alone. */
const whatIs = ({ type, status, headers }: Response): string =>
  type === 'opaqueredirect' || (status >= 300 && status < 400)
    ? `baseUrl is redirected to ${headers.get('location') ?? 'another address'}; use that one if it is the service's`
    : 'The answer is not one of the service';

const unexpected = (arrived: Arrived, what: string): ApiError => {
  const { response, text, secret } = arrived;
  const message = hide(text === '' ? `${what}.` : `${what}: ${text}`, secret).slice(0, SHOWN_OF_A_TEXT);
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
  // Some proxies have statuses of their own, such as 999, which no response can be made with.
  if (status < 200 || status > 599) return response;
  return new Response(WITHOUT_BODY.has(status) ? null : text, { status, statusText, headers });
};
