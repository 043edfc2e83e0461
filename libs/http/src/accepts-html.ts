import type { IncomingHttpHeaders } from 'node:http';

const REFUSED = /;\s*q=0(?:\.0*)?\s*(?:;|$)/i;

/** Whether the client accepts the media type; undefined if its `Accept` does not contain exactly that range. */
const takes = (accept: string, type: string): boolean | undefined => {
  const range = accept.split(',').find((each) => each.split(';', 1)[0]?.trim().toLowerCase() === type);
  return range === undefined ? undefined : !REFUSED.test(range);
};

/** Whether the client names HTML: a browser that opens an address does, and `Accept: *\/*` of a program does not. */
export const namesHtml = ({ accept = '' }: IncomingHttpHeaders): boolean => takes(accept, 'text/html') ?? false;

/** Whether the client accepts HTML, by the most specific range of its `Accept`. */
export const acceptsHtml = ({ accept = '*/*' }: IncomingHttpHeaders): boolean =>
  takes(accept, 'text/html') ?? takes(accept, 'text/*') ?? takes(accept, '*/*') ?? false;
