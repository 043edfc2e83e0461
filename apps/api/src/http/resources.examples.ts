import type { PublicActivity, PublicCase } from '#cases';
import type { FullPublicCreator, PublicCreator } from '#creators';
import type { PublicEventType } from '#event-feed';
import type { PublicImpersonation } from '#impersonations';

/** Ids and times that the examples of all resources share. */
export const EXAMPLE = {
  workspaceId: 'wsp_4wf0fs1vreaantzpvk5ncqmegd',
  keyId: 'key_01m84sh3k2f8xvq6w0r9c4n7td',
  creatorId: 'crt_01m84shndyfewanvze4qf2ae58',
  userId: '07e869e9-5ed8-5550-a30f-fe14b96a9372',
  scanId: 'scn_13s8g9n0vvbrgvvv6nkyjgr8b3',
  jobId: 'job-7f3a91',
  caseId: 'cas_06gb4br11yb8g97tbmbkxmby17',
  deindexRequestId: 'dix_2v9qk4m7wze0b8t1x5c3r6n0ay',
  impersonationId: 'imp_3h8d5t2m9fe6wq0kz4y7r1v8cb',
  eventId: 'evt_01m84shyq1hgwv6gkp1vwswt3f',
  createdAt: 1_795_590_435_036,
  updatedAt: 1_795_590_912_480,
} as const;

const { workspaceId, creatorId, userId, scanId, caseId, impersonationId, createdAt, updatedAt } = EXAMPLE;

/** Example bodies of `POST /v1/creators`. */
export const ENROLLMENT_EXAMPLES = {
  'link a platform user': {
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

export const CASE: PublicCase = {
  id: caseId,
  scan_id: scanId,
  creator_id: creatorId,
  status: 'Détecté',
  status_code: 'detected',
  url: 'https://mirror-vault.example/fansly/ivycalloway/6bd59ffd-1',
  domain: 'mirror-vault.example',
  favicon_url: null,
  simulated: false,
  created_at: createdAt,
  source: 'api_scan',
  leak_id: 'leak-90412',
  updated_at: updatedAt,
  actionable: true,
  dead_on_arrival: false,
  available: true,
  api_deindex_supported: true,
};

export const ACTIVITY: PublicActivity = {
  id: 'act-20418',
  type: 'notice.sent',
  occurred_at: updatedAt,
  timestamp_basis: 'recorded',
  leak_id: CASE.leak_id,
  url: CASE.url,
  status: 'Notification envoyée',
  status_code: 'notice_sent',
  simulated: false,
};

export const IMPERSONATION: PublicImpersonation = {
  id: impersonationId,
  creator_id: creatorId,
  platform: 'instagram',
  url: 'https://www.instagram.com/not_ivy_calloway',
  username: 'not_ivy_calloway',
  status: 'reported',
  created_at: createdAt,
  updated_at: createdAt,
  available: true,
  simulated: false,
};

const creator = { creator_id: EXAMPLE.creatorId };
const scan = { ...creator, scan_id: EXAMPLE.scanId, svc_job_id: EXAMPLE.jobId };
const finding = { ...creator, case_id: CASE.id };
const shownCase = { ...finding, scan_id: EXAMPLE.scanId, status: CASE.status, case: CASE };
const impersonation = { ...creator, impersonation_id: IMPERSONATION.id };
const shownImpersonation = { ...impersonation, status: IMPERSONATION.status, impersonation: IMPERSONATION };
const protection = { ...creator, scope: 'api_scan_schedule', reason: 'api_request' };

const DATA: Readonly<Record<PublicEventType, object>> = {
  'protection.activated': { ...protection, status: 'active' },
  'protection.paused': { ...protection, status: 'paused' },
  'scan.completed': scan,
  'scan.failed': { ...scan, status: 'failed', reason: 'engine_rejected' },
  'creator.updated': { ...creator, creator: FULL_CREATOR },
  'case.created': shownCase,
  'case.updated': shownCase,
  'case.deleted': finding,
  'deindex.status_changed': {
    ...finding,
    deindex_request_id: EXAMPLE.deindexRequestId,
    status: 'submitted',
    submitted_to_provider: true,
    removal_verified: false,
  },
  'impersonation.created': shownImpersonation,
  'impersonation.updated': shownImpersonation,
  'impersonation.deleted': impersonation,
};

export const exampleEvent = (type: PublicEventType) => ({
  id: EXAMPLE.eventId,
  type,
  workspace_id: EXAMPLE.workspaceId,
  created_at: EXAMPLE.updatedAt,
  simulated: false,
  data: DATA[type],
});

/** A page with one item. */
export const pageOf = (item: object, next_cursor: string | null) => ({ data: [item], next_cursor, simulated: false });
