import type { Answer } from '../api-call.js';
import { ApiError, ConnectionError, type Refusal } from '../errors.js';
import type { Page } from '../list.js';
import type { ErrorBody } from '../types.js';
import { hide } from './cause.js';

/** A response whose body has arrived in full. */
export interface Arrived {
  readonly response: Response;
  readonly text: string;
  /** A proxy may include the request, with its key, in its answer. */
  readonly secret: string;
}

const SHOWN_OF_A_TEXT = 300;
/** The longest body; a page of 100 items has less than a megabyte. */
const MAX_BYTES = 32 * 1024 * 1024;

/** A body without an end must not fill the memory. */
export const arrivedOf = async (response: Response, secret: string): Promise<Arrived> => {
  const decoder = new TextDecoder();
  let [text, size] = ['', 0];
  // Leaving the iteration cancels the stream; a node-fetch stream supports iteration too.
  for await (const bytes of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += bytes.length;
    if (size > MAX_BYTES) throw unexpected({ response, text: '', secret }, `The answer exceeds ${MAX_BYTES} bytes`);
    text += decoder.decode(bytes, { stream: true });
  }
  return { response, text: text + decoder.decode(), secret };
};

/** Whether the service answered, rather than something in front of it. */
export const isOwn = ({ headers }: Response): boolean => headers.get('x-svc-mode') !== null;

/** The service's answer to a successful call; throws an `ApiError` for any other. */
export const answerOf = <Data>(arrived: Arrived, read: (arrived: Arrived) => Data): Answer<Data> => {
  const { response } = arrived;
  if (!response.ok || !isOwn(response)) throw apiError(arrived);
  return { data: read(arrived), requestId: requestIdOf(response), response: unread(arrived) };
};

export const textOf = (arrived: Arrived, type = 'text/csv'): string => {
  const given = arrived.response.headers.get('content-type') ?? 'no content type';
  if (given.replace(/\s*;.*$/, '').toLowerCase() !== type)
    throw unexpected(arrived, `Expected ${type} but got ${given}`);
  return arrived.text;
};

export const jsonOf = <Data>(arrived: Arrived): Data => {
  const data = parsed(textOf(arrived, 'application/json'));
  if (data === undefined) throw new ConnectionError('The answer broke off.');
  // No answer of the service is empty, a list or a text.
  if (typeof data !== 'object' || Array.isArray(data) || Object.keys(data ?? {}).length === 0)
    throw unexpected(arrived, 'Expected an object');
  return data as Data;
};

export const pageOf = <Item>(arrived: Arrived): Page<Item> => {
  const page = jsonOf<Page<Item>>(arrived);
  if (Array.isArray(page.data) && (page.next_cursor === null || typeof page.next_cursor === 'string')) return page;
  throw unexpected(arrived, 'Expected a page of a list');
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const apiError = (arrived: Arrived): ApiError => {
  const { response, text, secret } = arrived;
  const refusal = isOwn(response) ? refusalOf(hide(text, secret), requestIdOf(response)) : undefined;
  if (refusal === undefined) return unexpected(arrived, whatIs(response));
  return new ApiError(refusal, unread(arrived), retryAfterOf(response));
};

/** A redirect is not followed: the key is for the service alone. */
const whatIs = ({ status, headers }: Response): string =>
  status >= 300 && status < 400
    ? `baseUrl is redirected to ${headers.get('location') ?? 'another address'}; use that one if it is the service's`
    : "The answer does not have the form of the service's answers, or lacks X-SVC-Mode";

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
  const { error, request_id } = Object(parsed(text)) as Partial<ErrorBody>;
  if (typeof error?.code !== 'string') return undefined;
  const { code, message, details = [] } = error;
  const fields = details.map((detail) => `${detail.field} ${detail.message}`);
  return { code, message: [message, ...fields].join(' '), details, requestId: request_id ?? requestId };
};

const requestIdOf = ({ headers }: Response): string | null => headers.get('x-request-id');

/** Seconds. A proxy may send a date, relative to the clock that dated its answer. */
const retryAfterOf = ({ headers }: Response): number | null => {
  const [value, date] = [headers.get('retry-after') ?? '', headers.get('date') ?? ''];
  const wait = /^\d+$/.test(value) ? Number(value) : Math.ceil((timeOf(value) - timeOf(date)) / 1_000);
  return Number.isNaN(wait) ? null : Math.max(0, wait);
};

/** In the three formats of RFC 9110. `Date.parse` guesses at anything else. */
const HTTP_DATE = /^[A-Z][a-z]{2,8},? .*\d\d:\d\d:\d\d (?:GMT|\d{4})$/;
const timeOf = (text: string): number =>
  HTTP_DATE.test(text) ? Date.parse(text.replace(/(?: GMT)?$/, ' GMT')) : Number.NaN;

/** The same response, whose body can be read again. */
const unread = ({ response, text }: Arrived): Response => {
  const { status, statusText, headers } = response;
  // Some proxies use statuses such as 999, with which no response can be constructed.
  if (status < 200 || status > 599) return response;
  const copied = new Headers();
  headers.forEach((value, name) => {
    copied.append(name, value);
  });
  return new Response(text || null, { status, statusText, headers: copied });
};
