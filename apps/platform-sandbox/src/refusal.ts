/** An answer other than 2xx, in the contract's error envelope. Nothing was done and nothing is remembered. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** Further members of the error. */
    readonly details: object = {},
  ) {
    super(message);
  }
}

export function notFound(what: string): Refusal {
  return new Refusal(404, 'not_found', `No such ${what}, or not visible to this agency.`);
}

/** What was asked for, which exists. */
export function found<Record>(record: Record | undefined, what: string): Record {
  if (record === undefined) throw notFound(what);
  return record;
}

export function invalid(problem: string): Refusal {
  return new Refusal(400, 'invalid_request', problem);
}

export function conflict(code: string, message: string): Refusal {
  return new Refusal(409, code, message);
}

export function unprocessable(code: string, message: string): Refusal {
  return new Refusal(422, code, message);
}

export function envelope(code: string, message: string, details: object = {}) {
  return { error: { code, message, ...details } };
}
