/** The answers of `/dashboard/api`. Times are epoch milliseconds. */

export type Role = 'owner' | 'member' | 'operator' | 'auditor' | 'analyst';
export type Right = string;

export interface Named {
  readonly id: string;
  readonly name: string;
}

export interface Session {
  readonly user: Named;
  readonly role: Role;
  readonly rights: readonly Right[];
  readonly agency: Named | null;
  readonly agencies: readonly Named[];
  readonly csrf_token: string;
  readonly platform_available: boolean;
  readonly expires_at: number;
}
