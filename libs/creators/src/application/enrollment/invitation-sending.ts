import { DomainError, type Effect } from '#kernel';
import type { EnrolledCreator } from '../../domain/creator.state.js';
import type { NativeInvitation } from '../../domain/native-invitation.js';
import type { CreatorPlatform } from '../access/creator-platform.js';

/** Looked up first if it `wasTried`, so that no second mail goes out (D28). `reserve` precedes a call that may send one. */
export const sendInvitation = async (
  platform: CreatorPlatform,
  { agencyId, creatorId, identity, invitee }: EnrolledCreator,
  wasTried: boolean,
  reserve?: () => Promise<unknown>,
): Promise<Effect<NativeInvitation>> => {
  if (invitee === null) throw new Error('an invitation has an invitee');
  if (wasTried) {
    try {
      const found = await platform.findInvitation(agencyId, creatorId);
      if (found !== undefined) return { outcome: 'done', value: found };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { outcome: 'unknown', error };
    }
  }
  await reserve?.();
  return platform.invite(agencyId, { reference: creatorId, ...invitee, displayName: identity.displayName });
};
