import {
  type AgencyId,
  DAY,
  type Decider,
  DomainError,
  type Duration,
  type Instant,
  invalidRequest,
  type KeyId,
  textProblem,
  unknownEvent,
  type WorkspaceId,
} from '#kernel';
import { type KeyClaim, sameHash } from './key-secret.js';

const READ_SCOPES = [
  'workspaces:read',
  'creators:read',
  'scans:read',
  'cases:read',
  'usage:read',
  'events:read',
] as const;

const WRITE_SCOPES = ['creators:write', 'protection:write', 'scans:write', 'deindex:write'] as const;

export type Scope = (typeof READ_SCOPES)[number] | (typeof WRITE_SCOPES)[number];

export const PRESETS = {
  read_only: READ_SCOPES,
  read_write: [...READ_SCOPES, ...WRITE_SCOPES],
} as const satisfies Record<string, readonly Scope[]>;

export type Preset = keyof typeof PRESETS;

export const MAX_KEY_NAME_LENGTH = 80;

export const KEY_LIFETIMES = { '30d': 30 * DAY, '90d': 90 * DAY, none: null } as const satisfies Record<
  string,
  Duration | null
>;
export type KeyLifetime = keyof typeof KEY_LIFETIMES;

export interface IssuedKey {
  readonly keyId: KeyId;
  readonly agencyId: AgencyId;
  readonly workspaceId: WorkspaceId;
  /** The binding that it was issued under. */
  readonly epoch: number;
  readonly name: string | null;
  readonly scopes: readonly Scope[];
  readonly expiresAt: Instant | null;
  /** SHA-256 of the secret, in hexadecimal; nothing stores the secret itself (D18). */
  readonly secretHash: string;
  /** The last characters of the secret, by which people distinguish keys (D18). Keys of earlier builds have none. */
  readonly lastFour?: string;
}

export type ApiKey =
  | { readonly status: 'unknown' }
  | (IssuedKey & {
      readonly status: 'issued' | 'revoked';
      readonly issuedAt: Instant;
      readonly revokedAt: Instant | null;
    });

export type ApiKeyEvent =
  | { readonly type: 'apiKey.issued.v1'; readonly data: IssuedKey }
  | { readonly type: 'apiKey.revoked.v1'; readonly data: { readonly keyId: KeyId; readonly agencyId: AgencyId } };

export const apiKeyDecider: Decider<ApiKey, ApiKeyEvent> = {
  category: 'apiKey',
  initial: { status: 'unknown' },
  evolve: (state, event, at) => {
    switch (event.type) {
      case 'apiKey.issued.v1':
        return { ...event.data, status: 'issued', issuedAt: at, revokedAt: null };
      case 'apiKey.revoked.v1':
        return state.status === 'unknown' ? state : { ...state, status: 'revoked', revokedAt: at };
      default:
        return unknownEvent(event, state);
    }
  },
};

export interface KeyRequest {
  readonly preset: Preset;
  readonly name?: string | undefined;
  readonly lifetime: KeyLifetime;
}

export interface KeyToIssue extends KeyRequest {
  readonly keyId: KeyId;
  readonly agencyId: AgencyId;
  readonly workspaceId: WorkspaceId;
  readonly epoch: number;
  readonly secretHash: string;
  readonly lastFour: string;
}

export function issueKey(state: ApiKey, { preset, name, lifetime, ...order }: KeyToIssue, now: Instant): ApiKeyEvent[] {
  if (state.status !== 'unknown') {
    throw new DomainError('internal_error', { cause: new Error(`${order.keyId} was issued before`) });
  }
  const problem = name === undefined ? undefined : textProblem(name, MAX_KEY_NAME_LENGTH);
  if (problem !== undefined) throw invalidRequest({ field: 'name', message: problem });
  const length = KEY_LIFETIMES[lifetime];
  const expiresAt = length === null ? null : now + length;
  return [{ type: 'apiKey.issued.v1', data: { ...order, name: name ?? null, scopes: PRESETS[preset], expiresAt } }];
}

export function revokeKey(state: ApiKey): ApiKeyEvent[] {
  if (state.status === 'unknown') throw new DomainError('not_found');
  if (state.status === 'revoked') return [];
  const { keyId, agencyId } = state;
  return [{ type: 'apiKey.revoked.v1', data: { keyId, agencyId } }];
}

/** D17: the caller cannot distinguish unknown, revoked and expired keys. */
export const isUsable = (key: ApiKey, now: Instant): key is ApiKey & IssuedKey =>
  key.status === 'issued' && (key.expiresAt === null || now < key.expiresAt);

export type KeyStatus = 'active' | 'expired' | 'revoked' | 'earlier_binding';

/** The reason why a key is refused, for people who manage it. A key with two reasons shows the permanent one. */
export const keyStatus = (
  { revokedAt, expiresAt, epoch }: { revokedAt: Instant | null; expiresAt: Instant | null; epoch: number },
  presentEpoch: number,
  now: Instant,
): KeyStatus => {
  if (revokedAt !== null) return 'revoked';
  if (epoch < presentEpoch) return 'earlier_binding';
  return expiresAt !== null && now >= expiresAt ? 'expired' : 'active';
};

/** D17: the claimed key, or `unauthorized` for any reason. */
export const requireClaimed = (key: ApiKey, { secretHash }: KeyClaim, now: Instant): IssuedKey => {
  if (!isUsable(key, now) || !sameHash(key.secretHash, secretHash)) throw new DomainError('unauthorized');
  return key;
};
