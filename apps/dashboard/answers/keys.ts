import type { CodeSamplesAnswer } from './parts.js';

export interface ListedKeyAnswer {
  readonly id: string;
  readonly name: string | null;
  /** The last characters of its secret; null for a key of an earlier build. */
  readonly last_four: string | null;
  readonly preset: 'read_only' | 'read_write';
  readonly scopes: readonly string[];
  readonly created_at: number;
  /** Exact to the minute. */
  readonly last_used_at: number | null;
  /** An older key may have been used before this time without a record. */
  readonly uses_recorded_since: number | null;
  readonly calls_24h: number;
  readonly calls_7d: number;
  readonly expires_at: number | null;
  readonly status: 'active' | 'expired' | 'revoked' | 'earlier_binding';
}

export interface KeySettings {
  readonly name: string;
  readonly preset: 'read_only' | 'read_write';
  readonly lifetime: '30d' | '90d' | 'none';
}

/** The only answer with the secret. */
export interface CreatedKeyAnswer extends Pick<ListedKeyAnswer, 'id' | 'scopes' | 'expires_at'> {
  readonly secret: string;
  readonly samples: CodeSamplesAnswer;
}

export interface KeyAnswer extends ListedKeyAnswer {
  readonly created_by: { readonly actor: string; readonly actor_name: string | null };
  /** Its calls of seven days. */
  readonly calls: readonly RouteCallsAnswer[];
}

export interface RouteCallsAnswer {
  /** Such as `GET /v1/creators/{id}`. */
  readonly route: string;
  readonly calls: number;
}
