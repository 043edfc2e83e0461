import type { UserId } from '#kernel';
import type { Authorization, Entitlement, Identity } from './creator.state.js';

export interface NativeCreator {
  readonly userId: UserId;
  /** The API creator id whose invitation this user accepted. It comes from outside and is not yet known to be one. */
  readonly invitationReference: string | null;
  readonly identity: Identity;
  readonly isStaff: boolean;
  readonly onboardingComplete: boolean;
  readonly authorization: Authorization;
  readonly entitlement: Entitlement;
}
