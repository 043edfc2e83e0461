import type { IncomingHttpHeaders } from 'node:http';

/** Whether the client names HTML: a browser that opens an address does, and `Accept: *\/*` of a program does not. */
export const acceptsHtml = ({ accept = '' }: IncomingHttpHeaders): boolean =>
  accept.split(',').some((range) => /^\s*text\/html\s*(?:;(?!.*\bq=0(?:\.0*)?\s*(?:;|$))|$)/i.test(range));
