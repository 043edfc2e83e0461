import type { EventType } from './parts.js';

export type Right =
  | 'read'
  | 'bind'
  | 'manage_keys'
  | 'revoke_keys'
  | 'manage_endpoints'
  | 'disable_endpoints'
  | 'replay'
  | 'billing';

interface SessionAgency {
  readonly id: string;
  /** The id if the name is unknown. */
  readonly name: string;
}

export interface SessionAnswer {
  /** The id is the actor of the event log, without `user:`. */
  readonly user: { readonly id: string; readonly name: string | null };
  readonly role: 'owner' | 'member' | 'operator' | 'auditor' | 'analyst' | null;
  readonly rights: readonly Right[];
  /** Null until one is chosen. */
  readonly agency: (SessionAgency & { readonly binding: 'unbound' | 'bound' | 'owner_changed' }) | null;
  readonly agencies: readonly SessionAgency[];
  /** Those that an endpoint may take. */
  readonly event_types: readonly EventType[];
  readonly csrf_token: string;
  /** While it is false, everybody has the rights of a member. */
  readonly platform_available: boolean;
  /** Each request moves it. */
  readonly expires_at: number;
}
