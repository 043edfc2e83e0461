/** Reads pasted headers, as lines or as JSON. */
export const parseHeaders = (text: string): Record<string, string> => {
  const parsed = text.trimStart().startsWith('{') ? fromJson(text) : text.split(/\r?\n/).map(fromLine);
  const named = parsed.filter((entry): entry is [string, string] => entry !== undefined);
  return Object.fromEntries(named.map(([name, value]) => [name.toLowerCase(), value]));
};

const fromLine = (line: string): [string, string] | undefined => {
  const colon = line.indexOf(':');
  return colon < 1 ? undefined : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
};

const fromJson = (text: string): [string, string][] => {
  try {
    return Object.entries(JSON.parse(text) as object).map(([name, value]) => [name, String(value)]);
  } catch {
    return [];
  }
};

/** Only the hash is sent. The body stays in the browser. */
export const sha256Of = async (body: string): Promise<string> => {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(body));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
};
