/** An operation's answer, before it is written in one of the ways that HTTP and JSON allow. */
export interface Answer {
  status: number;
  body?: unknown;
}

/** A refusal that is no breach: the request was in order, the state is not. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly members: object = {},
  ) {
    super(code);
  }
}

/** Written into members that the contract doesn't name, and into those that are never passed on. No agency may see it. */
export const CANARY = 'for-no-agency-to-see';

const WORDINGS: Record<string, string> = {
  not_found: 'Rien de tel ici — ou pas pour vous.',
  capacity_reached: 'すべての枠が埋まっています',
  invitation_rejected: '',
  idempotency_conflict: 'That key already stands for something else.\nPick another one.',
};

export function errorAnswer(
  status: number,
  code: string,
  message = WORDINGS[code] ?? `Nein: ${code}`,
  members: object = {},
): Answer {
  return { status, body: { error: { code, message, ...members, trace: [CANARY] }, help: `urn:${CANARY}` } };
}
