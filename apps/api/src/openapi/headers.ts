const header = (description: string, schema: object = { type: 'string' }) => ({ description, schema });

const OF_EVERY_ANSWER = {
  'X-Request-ID': header('Names the request in our logs.'),
  'X-SVC-Mode': header('Always `live`.'),
  'Cache-Control': header('Always `no-store`.'),
  'X-Content-Type-Options': header('Always `nosniff`.'),
};

const ALLOWANCE = {
  'RateLimit-Limit': header('Requests of the agency in a UTC minute.', { type: 'integer' }),
  'RateLimit-Remaining': header('What is left of them.', { type: 'integer' }),
  'RateLimit-Reset': header('Seconds until the next minute.', { type: 'integer' }),
};

const RETRY = { 'Retry-After': header('Seconds after which a repeat may succeed.', { type: 'integer' }) };
const CHALLENGE = { 'WWW-Authenticate': header('Always `Bearer`.') };
const LOCATION = { Location: header('The path of what was made, or of its list.') };

/** Headers that only some statuses have. */
const OF_STATUS: Readonly<Record<string, object>> = {
  201: LOCATION,
  202: LOCATION,
  401: CHALLENGE,
  429: RETRY,
  503: RETRY,
};

export const HEADERS: Readonly<Record<string, object>> = Object.assign(
  {},
  OF_EVERY_ANSWER,
  ALLOWANCE,
  ...Object.values(OF_STATUS),
);

/** References to the headers of an answer with the status. */
export const headersOf = (status: string): Readonly<Record<string, { readonly $ref: string }>> => {
  const names = Object.keys({ ...OF_EVERY_ANSWER, ...(status !== '401' && ALLOWANCE), ...OF_STATUS[status] });
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
};
