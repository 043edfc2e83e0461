import type { AnnouncedStreams, PublicAnnouncement } from '#kernel';
import { type ImpersonationEvent, type ImpersonationState, impersonationDecider } from '../domain/impersonation.js';
import { publicImpersonation } from './public-impersonation.js';

export type ImpersonationAnnouncement = PublicAnnouncement<
  'impersonation.created' | 'impersonation.updated' | 'impersonation.deleted'
>;

const announce =
  (type: 'impersonation.created' | 'impersonation.updated') =>
  (_before: ImpersonationState, after: ImpersonationState) => {
    if (after.status === 'unknown') return [];
    const shown = publicImpersonation(after);
    const data = { impersonation_id: shown.id, status: shown.status, impersonation: shown };
    return [{ type, creatorId: after.creatorId, data }];
  };
const updated = announce('impersonation.updated');

export const impersonationAnnouncements: AnnouncedStreams<
  ImpersonationState,
  ImpersonationEvent,
  ImpersonationAnnouncement
> = {
  decider: impersonationDecider,
  rows: {
    'impersonation.opened.v1': announce('impersonation.created'),
    'impersonation.changed.v1': updated,
    'impersonation.restored.v1': updated,
    'impersonation.removed.v1': (_before, after) => {
      if (after.status === 'unknown') return [];
      const data = { impersonation_id: publicImpersonation(after).id };
      return [{ type: 'impersonation.deleted', creatorId: after.creatorId, data }];
    },
  },
};
