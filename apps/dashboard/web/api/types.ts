/** The answers of `/dashboard/api`. Times are epoch milliseconds. */

export type Role = 'owner' | 'member' | 'operator' | 'auditor' | 'analyst';
export type Right =
  | 'read'
  | 'bind'
  | 'manage_keys'
  | 'revoke_keys'
  | 'manage_endpoints'
  | 'disable_endpoints'
  | 'replay'
  | 'billing';

export interface Named {
  readonly id: string;
  readonly name: string;
}

export interface Session {
  readonly user: { readonly id: string; readonly name: string | null };
  readonly role: Role | null;
  readonly rights: readonly Right[];
  readonly agency: Named | null;
  readonly agencies: readonly Named[];
  readonly csrf_token: string;
  readonly platform_available: boolean;
  readonly expires_at: number;
}

export interface Page<Row> {
  readonly data: readonly Row[];
  readonly next_cursor: string | null;
}

export type Preset = 'read_only' | 'read_write';
export type Lifetime = '30d' | '90d' | 'none';

export interface ApiKey {
  readonly id: string;
  readonly name: string | null;
  readonly preset: Preset;
  readonly scopes: readonly string[];
  readonly created_at: number;
  readonly last_used_at: number | null;
  /** Uses before this were not recorded. */
  readonly uses_recorded_since: number | null;
  readonly calls_24h: number;
  readonly calls_7d: number;
  readonly expires_at: number | null;
  readonly status: 'active' | 'expired' | 'revoked' | 'earlier_binding';
}

export interface KeySettings {
  readonly name: string;
  readonly preset: Preset;
  readonly lifetime: Lifetime;
}

export interface IssuedKey {
  readonly id: string;
  readonly secret: string;
  readonly scopes: readonly string[];
  readonly expires_at: number | null;
}

export interface RouteCalls {
  readonly route: string;
  readonly calls: number;
}
