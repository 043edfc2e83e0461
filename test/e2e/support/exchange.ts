type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** One request and its answer. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: unknown;
  /** Status, and the code of an error: `201`, `409 external_id_conflict`. */
  readonly outcome: string;
}

export const exchangeOf = (method: string, path: string, status: number, headers: Headers, text: string): Exchange => {
  const body = parse(text);
  const code = (body as { error?: { code?: string } } | undefined)?.error?.code;
  return { method, path, status, headers, text, body, outcome: code === undefined ? `${status}` : `${status} ${code}` };
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Returns the fields that a 400 refuses. */
export const refusedFields = ({ outcome, body }: Exchange): string[] => {
  if (outcome !== '400 invalid_request') throw new Error(`${outcome} is no 400`);
  const { error } = body as { error: { details: { field: string }[] } };
  return error.details.map(({ field }) => field);
};
