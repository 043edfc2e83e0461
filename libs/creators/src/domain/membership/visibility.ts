import type { Instant } from '#kernel';
import { type CreatorState, isAccessible, isErased } from '../creator.state.js';
import { NO_IDENTITY } from '../identity/identity.js';

/** Whether the agency can see a creator now, and if not, why (D9, D28, D43). */
export type CreatorVisibility =
  | { readonly kind: 'visible' }
  /** It may return (D77). */
  | { readonly kind: 'missing'; readonly since: Instant }
  | { readonly kind: 'ended' }
  | { readonly kind: 'erased' };

export const visibilityOf = (creator: CreatorState): CreatorVisibility => {
  if (creator.status !== 'known') return { kind: 'ended' };
  if (creator.membership.status === 'missing') return { kind: 'missing', since: creator.membership.since };
  if (isAccessible(creator)) return { kind: 'visible' };
  return { kind: isErased(creator) ? 'erased' : 'ended' };
};

/** The creator without its texts, which is enough for its visibility: it takes less than a kilobyte, and they up to 200. */
export const withoutTexts = (creator: CreatorState): CreatorState =>
  creator.status === 'known'
    ? { ...creator, externalId: '', invitee: null, identity: NO_IDENTITY, identityToWrite: null }
    : creator;
