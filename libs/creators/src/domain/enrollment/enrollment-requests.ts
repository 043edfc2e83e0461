import type { FieldError, UserId } from '#kernel';
import type { EnrolledCreator, Identity, Invitee } from '../creator.state.js';

export interface EnrollmentRequest {
  readonly externalId: string;
  readonly identity: Identity;
  /** Of the body as it was sent (D24). */
  readonly fingerprint: string;
  /** What the rules of today refuse of it; they judge new requests only (D98). */
  readonly problems?: readonly FieldError[];
}

export interface LinkEnrollment extends EnrollmentRequest {
  readonly userId: UserId;
}

export interface Invite extends EnrollmentRequest {
  readonly invitee: Invitee;
}

export interface EnrollResult {
  readonly creator: EnrolledCreator;
  /** Whether this same request enrolled it (D26). */
  readonly isNew: boolean;
  readonly emailSent: boolean;
}
