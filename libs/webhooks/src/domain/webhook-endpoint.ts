import { DAY, type Decider, DomainError, type Duration, type Instant, invalidRequest, unknownEvent } from '#kernel';
import type { ChosenTypes, DisableReason, TestResult, WebhookEndpointEvent } from './webhook-endpoint.events.js';

export const DISABLED_AFTER_FAILING: Duration = 5 * DAY;

const MAX_OVERLAP: Duration = 30 * DAY;

/** Each one lengthens a delivery's headers, and the event that re-encrypts all of them. */
const MAX_SIGNING = 10;

/** How many replaced secrets are remembered, to recognize their signatures. */
const MAX_REPLACED = 10;

interface EncryptedSecret {
  readonly encrypted: string;
  /** Null for the newest secret, which signs until it is replaced. */
  readonly until: Instant | null;
}

export type EndpointRegistration = Extract<WebhookEndpointEvent, { type: 'webhookEndpoint.registered.v2' }>['data'];

export interface RegisteredEndpoint extends Omit<EndpointRegistration, 'encryptedSecret' | 'types'> {
  readonly status: 'active' | 'disabled';
  readonly disabledBecause: DisableReason | null;
  readonly registeredAt: Instant;
  /** When it was registered, or enabled again. */
  readonly activeSince: Instant;
  readonly types: ChosenTypes;
  /** Newest first. */
  readonly secrets: readonly EncryptedSecret[];
  /** Secrets that no longer sign, encrypted, newest first; those that another key encrypted are unknown. */
  readonly replaced: readonly string[];
  /** Since when deliveries wait because the agency is denied (D62). */
  readonly suspendedSince: Instant | null;
  readonly test: EndpointTest | null;
}

export interface EndpointTest {
  readonly testId: string;
  readonly requestedAt: Instant;
  readonly result: TestResult | null;
}

export type WebhookEndpoint = { readonly status: 'unknown' } | RegisteredEndpoint;

export const webhookEndpointDecider: Decider<WebhookEndpoint, WebhookEndpointEvent> = {
  category: 'webhookEndpoint',
  initial: { status: 'unknown' },
  evolve: (state, event, at) => {
    if (event.type === 'webhookEndpoint.registered.v2') {
      const { encryptedSecret, ...endpoint } = event.data;
      const secrets = [{ encrypted: encryptedSecret, until: null }];
      const defaults = { types: null, disabledBecause: null, suspendedSince: null, test: null, replaced: [] };
      return { status: 'active', ...defaults, ...endpoint, secrets, registeredAt: at, activeSince: at };
    }
    if (state.status === 'unknown') return state;
    switch (event.type) {
      case 'webhookEndpoint.secretRotated.v2': {
        const { encryptedSecret, overlapUntil } = event.data;
        const before = state.secrets.map(({ encrypted, until }) => ({ encrypted, until: until ?? overlapUntil }));
        const isOlder = ({ until }: EncryptedSecret) => overlapUntil !== null && until !== null && at < until;
        const ended = before.filter((secret) => !isOlder(secret)).map(({ encrypted }) => encrypted);
        const replaced = [...ended, ...state.replaced].slice(0, MAX_REPLACED);
        const secrets = [{ encrypted: encryptedSecret, until: null }, ...before.filter(isOlder)];
        return { ...state, secrets, replaced };
      }
      case 'webhookEndpoint.secretReencrypted.v2': {
        const { encryptedSecrets } = event.data;
        const secrets = state.secrets.map((secret, n) => ({
          ...secret,
          encrypted: encryptedSecrets[n] ?? secret.encrypted,
        }));
        return { ...state, secrets };
      }
      case 'webhookEndpoint.typesChosen.v1':
        return { ...state, types: event.data.types };
      case 'webhookEndpoint.disabled.v1':
        return { ...state, status: 'disabled', disabledBecause: event.data.reason };
      case 'webhookEndpoint.pendingDeliveriesFailed.v1':
        return state;
      case 'webhookEndpoint.enabled.v1':
        return { ...state, status: 'active', disabledBecause: null, suspendedSince: null, activeSince: at };
      case 'webhookEndpoint.suspended.v1':
        return { ...state, suspendedSince: at };
      case 'webhookEndpoint.resumed.v1':
        return { ...state, suspendedSince: null };
      case 'webhookEndpoint.testRequested.v1':
        return { ...state, test: { testId: event.data.testId, requestedAt: at, result: null } };
      case 'webhookEndpoint.tested.v1': {
        const { testId, endpointId: _, ...result } = event.data;
        return state.test?.testId === testId ? { ...state, test: { ...state.test, result } } : state;
      }
      default:
        return unknownEvent(event, state);
    }
  },
};

export function registerEndpoint(state: WebhookEndpoint, registration: EndpointRegistration): WebhookEndpointEvent[] {
  if (state.status !== 'unknown') throw new DomainError('internal_error');
  return [{ type: 'webhookEndpoint.registered.v2', data: registration }];
}

export function rotateSecret(
  state: WebhookEndpoint,
  { encryptedSecret, overlap }: { readonly encryptedSecret: string; readonly overlap: Duration },
  now: Instant,
): WebhookEndpointEvent[] {
  const endpoint = requireActive(state);
  const { endpointId } = endpoint;
  if (overlap > MAX_OVERLAP) throw invalidRequest({ field: 'overlap', message: 'must be at most 30d' });
  if (overlap > 0 && encryptedSecretsAt(endpoint, now).length >= MAX_SIGNING) {
    const message = `must be 0 for now: ${MAX_SIGNING} secrets already sign, until an earlier overlap ends`;
    throw invalidRequest({ field: 'overlap', message });
  }
  const overlapUntil = overlap > 0 ? now + overlap : null;
  return [{ type: 'webhookEndpoint.secretRotated.v2', data: { endpointId, encryptedSecret, overlapUntil } }];
}

/** D85: `reencrypt` returns undefined for a secret that does not change. */
export function reencryptSecrets(
  state: WebhookEndpoint,
  now: Instant,
  reencrypt: (owner: RegisteredEndpoint, encrypted: string) => string | undefined,
): WebhookEndpointEvent[] {
  if (state.status === 'unknown') return [];
  const { endpointId, secrets } = state;
  const changed = secrets.map((secret) => (isSigning(secret, now) ? reencrypt(state, secret.encrypted) : undefined));
  if (changed.every((encrypted) => encrypted === undefined)) return [];
  const encryptedSecrets = secrets.map(({ encrypted }, n) => changed[n] ?? encrypted);
  return [{ type: 'webhookEndpoint.secretReencrypted.v2', data: { endpointId, encryptedSecrets } }];
}

export function chooseTypes(state: WebhookEndpoint, types: ChosenTypes): WebhookEndpointEvent[] {
  const { endpointId, types: before } = requireRegistered(state);
  if (JSON.stringify(types) === JSON.stringify(before)) return [];
  return [{ type: 'webhookEndpoint.typesChosen.v1', data: { endpointId, types } }];
}

export function disableEndpoint(state: WebhookEndpoint): WebhookEndpointEvent[] {
  const { endpointId, status } = requireRegistered(state);
  if (status === 'disabled') return [];
  return [{ type: 'webhookEndpoint.disabled.v1', data: { endpointId, reason: 'operator', failingSince: null } }];
}

/** D82: `failingSince` is the time of the first failure after the last success, five days ago. */
export function disableFailing(state: WebhookEndpoint, failingSince: Instant): WebhookEndpointEvent[] {
  // Failures from before the endpoint was enabled do not count.
  if (state.status !== 'active' || failingSince < state.activeSince) return [];
  const { endpointId } = state;
  return [{ type: 'webhookEndpoint.disabled.v1', data: { endpointId, reason: 'failing', failingSince } }];
}

/** D82: when an endpoint that goes on failing is disabled; null until half of that time is over. */
export const disablesAt = (failingSince: Instant | null, now: Instant): Instant | null =>
  failingSince !== null && now - failingSince >= DISABLED_AFTER_FAILING / 2
    ? failingSince + DISABLED_AFTER_FAILING
    : null;

/** D105: newer secrets, and the latest disabling, that a log which a restored one replaces has recorded. */
export function takeAwayAgain(
  state: WebhookEndpoint,
  recorded: readonly WebhookEndpointEvent[],
): WebhookEndpointEvent[] {
  if (state.status === 'unknown') return [];
  const known = new Set([...state.secrets.map(({ encrypted }) => encrypted), ...state.replaced]);
  const rotated = recorded.filter((event) => {
    if (event.type !== 'webhookEndpoint.secretRotated.v2' || known.has(event.data.encryptedSecret)) return false;
    known.add(event.data.encryptedSecret);
    return true;
  });
  const last = recorded.findLast(({ type }) => /[.](?:disabled|enabled)[.]/.test(type));
  const isDisabled = state.status === 'active' && last?.type === 'webhookEndpoint.disabled.v1';
  return isDisabled ? [...rotated, last] : rotated;
}

export function enableEndpoint(state: WebhookEndpoint): WebhookEndpointEvent[] {
  const { endpointId, status } = requireRegistered(state);
  return status === 'active' ? [] : [{ type: 'webhookEndpoint.enabled.v1', data: { endpointId } }];
}

export function recordPendingFailed(state: WebhookEndpoint): WebhookEndpointEvent[] {
  if (state.status !== 'disabled') return [];
  const { endpointId } = state;
  return [{ type: 'webhookEndpoint.pendingDeliveriesFailed.v1', data: { endpointId } }];
}

export function suspend(state: WebhookEndpoint, code: string): WebhookEndpointEvent[] {
  if (state.status !== 'active' || state.suspendedSince !== null) return [];
  return [{ type: 'webhookEndpoint.suspended.v1', data: { endpointId: state.endpointId, code } }];
}

export function resume(state: WebhookEndpoint): WebhookEndpointEvent[] {
  if (state.status === 'unknown' || state.suspendedSince === null) return [];
  return [{ type: 'webhookEndpoint.resumed.v1', data: { endpointId: state.endpointId } }];
}

/** While a test is pending, another request is a repeat of it. */
export function requestTest(state: WebhookEndpoint, testId: string): WebhookEndpointEvent[] {
  const { endpointId, test } = requireActive(state);
  if (test !== null && test.result === null) return [];
  return [{ type: 'webhookEndpoint.testRequested.v1', data: { endpointId, testId } }];
}

export function recordTest(state: WebhookEndpoint, testId: string, result: TestResult): WebhookEndpointEvent[] {
  if (state.status === 'unknown' || state.test?.testId !== testId || state.test.result !== null) return [];
  const { endpointId } = state;
  return [{ type: 'webhookEndpoint.tested.v1', data: { endpointId, testId, ...result } }];
}

/** The secrets that sign at a moment, encrypted, newest first (D61). */
export const encryptedSecretsAt = ({ secrets }: RegisteredEndpoint, now: Instant): string[] =>
  secrets.filter((secret) => isSigning(secret, now)).map(({ encrypted }) => encrypted);

const isSigning = ({ until }: EncryptedSecret, now: Instant): boolean => until === null || now < until;

export const requireRegistered = (state: WebhookEndpoint): RegisteredEndpoint => {
  if (state.status === 'unknown') throw new DomainError('not_found');
  return state;
};

/** Throws `invalid_request` for a disabled endpoint. */
export const requireActive = (state: WebhookEndpoint): RegisteredEndpoint => {
  const endpoint = requireRegistered(state);
  if (endpoint.status === 'disabled') throw invalidRequest({ field: 'endpoint', message: 'is disabled' });
  return endpoint;
};
