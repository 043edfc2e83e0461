export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>> | undefined;
  readonly body?: object;
  readonly idempotencyKey?: string;
}

/** A path with ids, each of which stays one segment: path`/v1/scans/${id}`. */
export const path = (texts: TemplateStringsArray, ...ids: readonly string[]): string =>
  texts.reduce((start, text, n) => `${start}${segment(ids[n - 1])}${text}`);

const segment = (id: unknown): string => {
  // Without this check, an empty id would address the list, and `..` the parent path.
  if (typeof id !== 'string' || /^\.{0,2}$/.test(id))
    throw new TypeError(`expected an ID, but got ${JSON.stringify(id)}`);
  return encodeURIComponent(id);
};

/** A header has one byte per character; the service reads the bytes as UTF-8. */
export const inUtf8 = (text: string): string => String.fromCharCode(...new TextEncoder().encode(text));

export const urlOf = (baseUrl: string, { path, query = {} }: ApiRequest): string => {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return given.length === 0 ? `${baseUrl}${path}` : `${baseUrl}${path}?${given.join('&')}`;
};
