import type { Instant, UserId } from '#kernel';
import type { Identity, Standing } from './creator.state.js';

export interface NativeInvitation {
  readonly id: string;
  readonly status: 'pending' | 'accepted' | 'onboarded' | 'expired' | 'cancelled' | 'detached';
  readonly userId: UserId | null;
  readonly emailSent: boolean;
  readonly expiresAt: Instant;
}

export interface NativeCreator extends Standing {
  readonly userId: UserId;
  /** The API creator id whose invitation this user accepted. It comes from outside and is not validated yet. */
  readonly invitationReference: string | null;
  readonly identity: Identity;
  readonly isStaff: boolean;
}

export interface NativeCapacity {
  readonly plan: string;
  readonly subscriptionStatus: string;
  readonly protectionEligible: boolean;
  readonly totalSlots: number;
  readonly occupiedSlots: number;
  readonly reservedSlots: number;
  readonly apiIncluded: boolean;
}
