/** Sends one request, as a test does it. */
export type SendRequest = (
  method: string,
  path: string,
  sent: { readonly headers: Record<string, string>; readonly body?: string },
) => Promise<{
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}>;

/** The `fetch` of our client. It sends to the test's target instead of the client's address. */
export const fetchBy =
  (send: SendRequest): typeof fetch =>
  async (input, { method = 'GET', headers, body } = {}) => {
    const { pathname, search } = new URL(String(input));
    const sent = { headers: Object.fromEntries(new Headers(headers)), ...(typeof body === 'string' && { body }) };
    const { status, headers: arrived, text } = await send(method, pathname + search, sent);
    const lines = Object.entries(arrived).flatMap(([name, value = []]) =>
      [value].flat().map((line): [string, string] => [name, line]),
    );
    return new Response(text, { status, headers: lines });
  };
