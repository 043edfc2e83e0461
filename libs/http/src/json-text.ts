/** A text, or a sign outside of texts. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}:]/g;

/**
 * With escapes decoded (D7). `JSON.parse` keeps the last one: a proxy and this service could see different requests.
 */
export const repeatedName = (json: string): string | undefined => {
  const objects: Set<string>[] = [];
  let last = '';
  for (const [token] of json.matchAll(TOKEN)) {
    if (token === '{') objects.push(new Set());
    else if (token === '}') objects.pop();
    else if (token !== ':') last = token;
    else {
      const name = String(JSON.parse(last));
      const names = objects.at(-1);
      if (names?.has(name)) return name;
      names?.add(name);
    }
  }
  return undefined;
};

/** A body that is not a usable JSON text. It is refused only after the checks of key and scope (D1). */
export class UnreadableBody {
  constructor(
    readonly message: string,
    readonly field = 'body',
  ) {}
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The JSON text as it was sent, for what needs the exact input. */
export const parseJsonBody = (bytes: Buffer): unknown => {
  if (bytes.length === 0) return new UnreadableBody('must be a JSON object');
  try {
    const text = decoder.decode(bytes);
    const value: unknown = JSON.parse(text);
    const repeated = repeatedName(text);
    return repeated === undefined ? value : new UnreadableBody('must not be sent twice in one object', repeated);
  } catch {
    return new UnreadableBody('must be valid JSON in UTF-8');
  }
};
