/** A text, or a sign outside texts. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}:]/g;

/**
 * A name that an object of this JSON text has twice (D7), with escapes decoded. `JSON.parse` keeps the last of the
 * two values, so that a proxy and this service could read two different requests. The text must be valid JSON.
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
