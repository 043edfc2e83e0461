import type { FullPublicCreator, PublicCreator } from '#creators';
import { EXAMPLE } from '../transport/example-values.js';

const { creatorId, workspaceId, userId, createdAt } = EXAMPLE;

/** Example bodies of `POST /v1/creators`. */
export const ENROLLMENT_EXAMPLES = {
  'link a creator of the roster': {
    workspace_id: workspaceId,
    external_id: 'talent-1042',
    display_name: 'Ivy Calloway',
    aliases: ['ivycal', 'Ivy C'],
    profile_urls: ['https://fansly.com/ivycalloway', 'https://www.tiktok.com/@ivycalloway'],
    svc_user_id: userId,
  },
  'invite a new creator': {
    workspace_id: workspaceId,
    external_id: 'talent-1043',
    display_name: 'Maëlle Dujardin',
    email: 'maelle@talent.example',
    first_name: 'Maëlle',
    last_name: 'Dujardin',
    locale: 'fr',
  },
};

/** Example bodies of `PATCH /v1/creators/{id}`. */
export const UPDATE_EXAMPLES = {
  'a new name and one more alias': { display_name: 'Ivy Calloway-Reyes', aliases: ['ivyreyes'] },
};

export const LINKED_CREATOR: PublicCreator = {
  id: creatorId,
  workspace_id: workspaceId,
  external_id: 'talent-1042',
  display_name: 'Ivy Calloway',
  aliases: ['ivycal', 'Ivy C'],
  profile_urls: ['https://fansly.com/ivycalloway', 'https://www.tiktok.com/@ivycalloway'],
  protection_status: 'not_activated',
  created_at: createdAt,
  enrollment_status: 'linked',
  svc_user_id: userId,
  invitation_id: null,
  simulated: false,
  scan_schedule_managed_by: 'api',
  svc_subscription_managed_by: 'svc',
  identity_sync_pending: false,
};

export const INVITED_CREATOR: PublicCreator = {
  ...LINKED_CREATOR,
  id: 'crt_01m84sjk5hf0psa6yt2xw8bqn4',
  external_id: 'talent-1043',
  display_name: 'Maëlle Dujardin',
  aliases: [],
  profile_urls: [],
  enrollment_status: 'invited',
  svc_user_id: null,
  invitation_id: 'inv-5d20c1',
};

export const FULL_CREATOR: FullPublicCreator = {
  ...LINKED_CREATOR,
  authorization: { approved: true, status: 'approved', expires_at: '2027-06-30T00:00:00.000Z' },
  entitlement: { active: true, source: 'agency_plan' },
  eligible: true,
};
