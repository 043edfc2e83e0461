/** A text, or a sign outside texts. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}:]/g;

/** With escapes decoded (D7). `JSON.parse` keeps the last one: a proxy and this service could read two requests. */
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
