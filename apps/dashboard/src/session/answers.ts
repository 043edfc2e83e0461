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
  /** The id where the platform does not say. */
  readonly name: string;
}

/** Who is signed in, for which agency, and what they may do there. */
export interface SessionAnswer {
  /** The id is that of the event log, without `user:`. */
  readonly user: { readonly id: string; readonly name: string | null };
  readonly role: 'owner' | 'member' | 'operator' | 'auditor' | 'analyst' | null;
  readonly rights: readonly Right[];
  /** Null until one is chosen. */
  readonly agency: SessionAgency | null;
  readonly agencies: readonly SessionAgency[];
  readonly csrf_token: string;
  /** While it is false, everybody has the rights of a member. */
  readonly platform_available: boolean;
  /** Epoch milliseconds; a request moves it. */
  readonly expires_at: number;
}
