import type { Effects, LoggedCall } from '../../../apps/platform-sandbox/src/index.js';
import type { PlatformState } from '../support/stage.js';
import type { Subject } from './subject.js';

/** When a process that had stood still woke up, and when what it had been about to send had gone out. */
export interface WakingUp {
  readonly from: number;
  readonly to: number;
}

const NEVER: WakingUp = { from: Number.POSITIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/**
 * Finds calls that the platform must not receive. A process that wakes up sends the call it was about to send, at the
 * same time as the process that took over. A lease cannot prevent this; only the idempotency key can.
 */
export const judgeCalls = (calls: readonly LoggedCall[], wakingUp = NEVER): string[] => [
  ...keysAtOnce(calls)
    .filter(({ started_at }) => started_at < wakingUp.from || started_at > wakingUp.to)
    .map(
      ({ seq, operation, path, idempotency_key }) =>
        `call ${seq}: ${operation} ${idempotency_key ?? path} was under way already`,
    ),
  ...twoBodies(calls),
];

const keysAtOnce = (calls: readonly LoggedCall[]) => calls.filter((call) => call.same_key_in_flight > 1);

const twoBodies = (calls: readonly LoggedCall[]): string[] => {
  const bodies = new Map<string, string>();
  const found: string[] = [];
  for (const { operation, idempotency_key, body_hash } of calls) {
    // A call that broke off before its body was read has no hash.
    if (idempotency_key === null || body_hash === null) continue;
    const use = `${operation} ${idempotency_key}`;
    const first = bodies.get(use) ?? body_hash;
    bodies.set(use, first);
    if (first !== body_hash) found.push(`${use} was used with two bodies`);
  }
  return found;
};

const moreThanOnce = (what: string, counts: Readonly<Record<string, number>>): string[] =>
  Object.entries(counts)
    .filter(([, count]) => count !== 1)
    .map(([reference, count]) => `${what} ${reference}: ${count} times`);

/** Every effect that was asked for has happened, and has happened once. */
export const judgeEffects = (effects: Effects, state: PlatformState, subjects: readonly Subject[]): string[] => {
  const invitees = subjects.filter(({ isInvitee }) => isInvitee);
  const activeUsers = subjects.filter(({ protection }) => protection === 'active').map(({ userId }) => userId);
  const heldBy = state.slots.filter(({ api }) => api).map((slot) => slot.user_id);
  return [
    ...moreThanOnce('mail', effects.mails),
    ...moreThanOnce('invitation', effects.mails_by_invitation),
    ...moreThanOnce('scan job', effects.scan_jobs),
    ...differences(
      'invited',
      invitees.map(({ id }) => id),
      Object.keys(effects.mails_by_invitation),
    ),
    ...differences('holds a slot', activeUsers, heldBy),
    ...subjects.flatMap((subject) => judgeIdentity(effects, state, subject)),
  ];
};

/** D30: what was submitted is written once; each alias that was added is one more change. */
const judgeIdentity = (effects: Effects, state: PlatformState, { userId, externalId, aliases }: Subject): string[] => {
  if (userId === undefined) return [];
  const [written = 0, expected] = [effects.identity_writes[userId], 1 + aliases.length];
  const native = state.creators.find((creator) => creator.user_id === userId);
  const missing = aliases.filter((alias) => !native?.aliases.includes(alias));
  return [
    ...(written === expected ? [] : [`identity of ${externalId}: written ${written} times, not ${expected}`]),
    ...missing.map((alias) => `identity of ${externalId}: lacks ${alias}`),
  ];
};

export const differences = (
  what: string,
  expected: readonly (string | undefined)[],
  actual: readonly string[],
): string[] => {
  const [wanted, found] = [new Set(expected), new Set(actual)];
  return [
    ...[...wanted].filter((each) => each === undefined || !found.has(each)).map((each) => `${what}: lacks ${each}`),
    ...actual.filter((each) => !wanted.has(each)).map((each) => `${what}: has ${each}`),
    ...(found.size === actual.length ? [] : [`${what}: ${actual.length - found.size} twice`]),
  ];
};
