import type { UserId } from '#kernel';
import type { Identity, Standing } from './creator.state.js';

export interface NativeCreator extends Standing {
  readonly userId: UserId;
  /** The API creator id whose invitation this user accepted. It comes from outside and is not yet known to be one. */
  readonly invitationReference: string | null;
  readonly identity: Identity;
  readonly isStaff: boolean;
}
