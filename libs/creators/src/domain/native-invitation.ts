import type { Instant, UserId } from '#kernel';

/** An invitation as the native platform records it. */
export interface NativeInvitation {
  readonly id: string;
  readonly status: 'pending' | 'accepted' | 'onboarded' | 'expired' | 'cancelled' | 'detached';
  readonly userId: UserId | null;
  readonly emailSent: boolean;
  readonly expiresAt: Instant;
}
