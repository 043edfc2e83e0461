import type { Instant, UserId } from '#kernel';

export interface NativeInvitation {
  readonly id: string;
  readonly status: 'pending' | 'accepted' | 'onboarded' | 'expired' | 'cancelled' | 'detached';
  readonly userId: UserId | null;
  readonly emailSent: boolean;
  readonly expiresAt: Instant;
}
