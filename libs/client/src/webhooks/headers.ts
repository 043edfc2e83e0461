/** Headers as `fetch`, Node, Express, Fastify, Nest and serverless platforms have them. */
export type HeadersLike = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The value of a header, by its name in small letters. */
export const headerOf = (headers: HeadersLike, name: string): string | undefined => {
  if (isHeaders(headers)) return headers.get(name) ?? undefined;
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
  return typeof value === 'object' ? value.join(',') : value;
};

/** Not by its class: a framework may have another one. */
const isHeaders = (headers: HeadersLike): headers is Headers => typeof headers.get === 'function';
