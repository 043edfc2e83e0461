import {
  type AgencyId,
  type Decider,
  DomainError,
  derivedId,
  type Instant,
  type UserId,
  unknownEvent,
  type WorkspaceId,
} from '#kernel';

export const KYC_STATUSES = ['approved', 'pending', 'rejected'] as const;
type KycStatus = (typeof KYC_STATUSES)[number];

export interface NativeAgency {
  readonly id: AgencyId;
  readonly name: string;
  readonly onboardingComplete: boolean;
  readonly kycStatus: KycStatus;
  readonly ownerUserId: UserId;
}

/** The link between an agency and its verified owner. Each new owner starts an epoch, counted from 1 (D19). */
export interface Binding {
  readonly status: 'bound';
  readonly agencyId: AgencyId;
  readonly workspaceId: WorkspaceId;
  readonly epoch: number;
  readonly ownerUserId: UserId;
  /** The time of the first binding, which creates the workspace (D22). */
  readonly boundAt: Instant;
}

export interface VerifiedAgency {
  readonly native: NativeAgency;
  readonly binding: Binding;
}

export type AgencyState = { readonly status: 'unbound' } | Binding;

export type AgencyEvent =
  | {
      readonly type: 'agency.bound.v1';
      readonly data: { agencyId: AgencyId; workspaceId: WorkspaceId; epoch: 1; ownerUserId: UserId };
    }
  | { readonly type: 'agency.rebound.v1'; readonly data: { epoch: number; ownerUserId: UserId } };

export const agencyDecider: Decider<AgencyState, AgencyEvent> = {
  category: 'agency',
  initial: { status: 'unbound' },
  evolve: (state, event, at) => {
    switch (event.type) {
      case 'agency.bound.v1':
        return { status: 'bound', boundAt: at, ...event.data };
      case 'agency.rebound.v1':
        return state.status === 'bound' ? { ...state, ...event.data } : state;
      default:
        return unknownEvent(event, state);
    }
  },
};

/** D22: an agency has one workspace, whose id is derived from the agency's. */
export const workspaceOf = (agencyId: AgencyId): WorkspaceId => derivedId('workspace', agencyId);

export const requireBound = (state: AgencyState): Binding => {
  if (state.status === 'unbound') throw new DomainError('not_found');
  return state;
};

/** Binds the agency to its current owner; an unchanged owner is a repeat. */
export function bind(state: AgencyState, native: NativeAgency, workspaceId: WorkspaceId): AgencyEvent[] {
  const { id: agencyId, ownerUserId } = native;
  if (state.status === 'unbound') {
    return [{ type: 'agency.bound.v1', data: { agencyId, workspaceId, epoch: 1, ownerUserId } }];
  }
  if (state.ownerUserId === ownerUserId) return [];
  return [{ type: 'agency.rebound.v1', data: { epoch: state.epoch + 1, ownerUserId } }];
}

/** D19, checks 1 and 2: onboarding, then KYC. */
export function requireVerified(native: NativeAgency | undefined): NativeAgency {
  if (!native?.onboardingComplete) throw new DomainError('agency_account_required');
  if (!isVerified(native)) throw new DomainError('agency_kyc_required');
  return native;
}

export const isVerified = ({ onboardingComplete, kycStatus }: NativeAgency): boolean =>
  onboardingComplete && kycStatus === 'approved';

/** D19, check 3: the owner is the one that the agency is bound to. */
export function requireBoundOwner(state: AgencyState, native: NativeAgency): Binding {
  if (state.status === 'unbound') throw new DomainError('agency_account_required');
  if (state.ownerUserId !== native.ownerUserId) throw new DomainError('agency_owner_changed');
  return state;
}

/** D19, check 4: the key was issued under the present binding. */
export function requirePresentEpoch(binding: Binding, epoch: number): void {
  if (epoch < binding.epoch) throw new DomainError('agency_key_reissue_required');
}

export interface PaymentMethod {
  readonly id: string;
  /** `card`, `sepa_debit`, `paypal`; others may occur. */
  readonly kind: string;
  /** For people, such as the brand and the last four digits; never a full number. */
  readonly label: string;
  /** `YYYY-MM`. */
  readonly expires: string | null;
  readonly isDefault: boolean;
}

export interface PaymentMethods {
  /** Whether the platform offers them. */
  readonly isOffered: boolean;
  readonly methods: readonly PaymentMethod[];
}
