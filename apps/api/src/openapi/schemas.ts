import { PRESETS, type PublicConnection, type PublicWorkspace, type PublicWorkspaceSummary } from '#agencies';
import type { PublicActivity, PublicCase } from '#cases';
import type { FullPublicCreator, PublicCreator } from '#creators';
import type { PublicDeindexRequest } from '#deindexing';
import { PUBLIC_EVENT_TYPES } from '#event-feed';
import type { PublicImpersonation } from '#impersonations';
import { ERROR_CODES, ID_PREFIXES } from '#kernel';
import type { PublicScan } from '#scans';
import {
  count,
  flag,
  idOf,
  instant,
  isoTime,
  type JsonSchema,
  listOf,
  live,
  type Members,
  objectOf,
  oneOf,
  orNull,
  pageOf,
  ref,
  text,
} from '../http/validation/json-schema.js';

const userId: JsonSchema & { type: string } = { type: 'string', format: 'uuid' };

const creatorMembers: Members<PublicCreator> = {
  id: idOf(ID_PREFIXES.creator),
  workspace_id: idOf(ID_PREFIXES.workspace),
  external_id: { type: 'string', minLength: 1, maxLength: 200 },
  display_name: text,
  aliases: listOf(text),
  profile_urls: listOf({ type: 'string', format: 'uri' }),
  protection_status: oneOf('not_activated', 'active', 'paused'),
  created_at: instant,
  enrollment_status: oneOf(
    'enrolling',
    'invited',
    'pending_onboarding',
    'linked',
    'failed',
    'uncertain',
    'expired',
    'cancelled',
    'detached',
  ),
  svc_user_id: orNull(userId),
  invitation_id: orNull({ type: 'string' }),
  simulated: live,
  scan_schedule_managed_by: { const: 'api' },
  svc_subscription_managed_by: { const: 'svc' },
  identity_sync_pending: flag,
};

const fullCreatorMembers: Members<FullPublicCreator> = {
  ...creatorMembers,
  authorization: objectOf({ approved: flag, status: text, expires_at: orNull({ ...isoTime, type: 'string' }) }, [
    'status',
    'expires_at',
  ]),
  entitlement: objectOf({ active: flag, source: text }, ['source']),
  eligible: flag,
};

const scanMembers: Members<PublicScan> = {
  id: idOf(ID_PREFIXES.scan),
  creator_id: idOf(ID_PREFIXES.creator),
  status: oneOf('queued', 'dispatching', 'running', 'uncertain', 'completed', 'failed', 'cancelled'),
  source: oneOf('manual', 'scheduled'),
  created_at: instant,
  finished_at: orNull({ ...instant, type: 'integer' }),
  error_code: orNull({ type: 'string' }),
  svc_job_id: orNull({ type: 'string' }),
  simulated: live,
};

const caseMembers: Members<PublicCase> = {
  id: idOf(ID_PREFIXES.case),
  scan_id: orNull({ ...idOf(ID_PREFIXES.scan), type: 'string' }),
  creator_id: idOf(ID_PREFIXES.creator),
  status: { type: 'string', description: 'The native wording, in any language.' },
  status_code: oneOf('detected', 'reviewing', 'notice_sent', 'removed', 'rejected', 'ignored'),
  url: text,
  domain: text,
  favicon_url: orNull({ type: 'string' }),
  simulated: live,
  created_at: instant,
  source: oneOf('svc', 'api_scan'),
  leak_id: text,
  updated_at: instant,
  actionable: orNull({ type: 'boolean' }),
  dead_on_arrival: orNull({ type: 'boolean' }),
  available: flag,
  api_deindex_supported: flag,
};

const deindexRequestMembers: Members<PublicDeindexRequest> = {
  id: idOf(ID_PREFIXES.deindexRequest),
  case_id: idOf(ID_PREFIXES.case),
  creator_id: idOf(ID_PREFIXES.creator),
  provider: { const: 'search' },
  status: oneOf('queued', 'dispatching', 'uncertain', 'submitted', 'completed', 'rejected', 'failed', 'cancelled'),
  simulated: live,
  submitted_to_provider: flag,
  removal_verified: flag,
  created_at: instant,
  updated_at: instant,
  error_code: orNull({ type: 'string' }),
};

const activityMembers: Members<PublicActivity> = {
  id: text,
  type: oneOf('leak.detected', 'leak.status', 'notice.sent', 'leak.removed'),
  occurred_at: instant,
  timestamp_basis: {
    ...oneOf('recorded', 'record_updated'),
    description: 'Whether it was recorded at that time, or is part of a record that was last updated then.',
  },
  leak_id: orNull({ type: 'string' }),
  url: orNull({ type: 'string' }),
  status: orNull({ type: 'string' }),
  status_code: orNull({ type: 'string' }),
  simulated: live,
};

const impersonationMembers: Members<PublicImpersonation> = {
  id: idOf(ID_PREFIXES.impersonation),
  creator_id: idOf(ID_PREFIXES.creator),
  platform: text,
  url: text,
  username: orNull({ type: 'string' }),
  status: oneOf('open', 'reported', 'removed', 'rejected'),
  created_at: instant,
  updated_at: instant,
  available: flag,
};

const workspaceSummary: Members<PublicWorkspaceSummary> = {
  id: idOf(ID_PREFIXES.workspace),
  external_id: text,
  name: text,
};

const ofAllEvents = { creator_id: idOf(ID_PREFIXES.creator) };

/** The members of an event's `data` besides `creator_id`, for each type. */
const ofSomeEvents = {
  scan_id: idOf(ID_PREFIXES.scan),
  case_id: idOf(ID_PREFIXES.case),
  svc_job_id: text,
  status: text,
  reason: text,
  scope: { const: 'api_scan_schedule' },
  deindex_request_id: idOf(ID_PREFIXES.deindexRequest),
  submitted_to_provider: flag,
  removal_verified: flag,
  impersonation_id: idOf(ID_PREFIXES.impersonation),
  creator: ref('FullCreator'),
  case: ref('Case'),
  impersonation: ref('Impersonation'),
};

/** `components.schemas`: the shapes of the responses, each member with its type and no other members. */
export const SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Connection: objectOf<PublicConnection>({
    partner: objectOf({ id: text, name: text, kind: { const: 'agency' } }),
    workspace_id: orNull({ ...idOf(ID_PREFIXES.workspace), type: 'string' }),
    key_id: orNull({ ...idOf(ID_PREFIXES.key), type: 'string' }),
    scopes: listOf(oneOf(...PRESETS.read_write)),
    expires_at: orNull({ ...instant, type: 'integer' }),
    environment: { const: 'live' },
    workspaces: listOf(objectOf(workspaceSummary)),
    engine_configured: flag,
    simulated: live,
  }),
  Workspace: objectOf<PublicWorkspace>({ ...workspaceSummary, created_at: instant, simulated: live }),
  Creator: objectOf(creatorMembers),
  EnrolledCreator: objectOf({ ...creatorMembers, email_sent: flag }),
  FullCreator: objectOf(fullCreatorMembers),
  CreatorPage: pageOf(ref('FullCreator'), userId),
  Scan: objectOf(scanMembers),
  Case: objectOf(caseMembers),
  CasePage: pageOf(ref('Case'), { ...idOf(ID_PREFIXES.case), type: 'string' }),
  DeindexRequest: objectOf(deindexRequestMembers),
  Impersonation: objectOf(impersonationMembers),
  ImpersonationPage: pageOf(ref('Impersonation'), { ...idOf(ID_PREFIXES.impersonation), type: 'string' }),
  ReportedImpersonation: objectOf({ ...impersonationMembers, simulated: live }),
  Activity: objectOf(activityMembers),
  ActivityPage: pageOf(ref('Activity'), { type: 'string' }),
  Event: objectOf({
    id: idOf(ID_PREFIXES.event),
    type: oneOf(...PUBLIC_EVENT_TYPES),
    workspace_id: idOf(ID_PREFIXES.workspace),
    created_at: instant,
    simulated: live,
    data: { ...objectOf(ofAllEvents), properties: { ...ofAllEvents, ...ofSomeEvents } },
  }),
  EventPage: pageOf(ref('Event'), { ...idOf(ID_PREFIXES.event), type: 'string' }),
  Usage: objectOf({
    month: { type: 'string', pattern: '^\\d{4}-\\d{2}$' },
    period_start: isoTime,
    period_end: isoTime,
    measured_through: isoTime,
    active_creator_count: count,
    creator_seconds: { type: 'number', minimum: 0 },
    creator_months: { type: 'number', minimum: 0 },
    estimated_subtotal_cents: orNull({ ...count, type: 'integer' }),
    minimum_monthly_cents: orNull({ ...count, type: 'integer' }),
    estimated_total_cents: orNull({ ...count, type: 'integer' }),
    currency: oneOf('EUR', 'USD'),
    estimate: { const: true },
    simulated: live,
    scope: { const: 'agency' },
    billing_basis: { const: 'active_api_scan_schedule' },
  }),
  Capacity: objectOf({
    plan: text,
    subscription_status: text,
    protection_eligible: flag,
    total_slots: count,
    occupied_slots: count,
    reserved_slots: count,
    available_slots: count,
    overflow_slots: count,
    api_included: flag,
    checked_at: isoTime,
    simulated: live,
  }),
  Error: objectOf(
    {
      error: objectOf(
        {
          code: oneOf(...ERROR_CODES),
          message: text,
          details: listOf(objectOf({ field: text, message: text })),
        },
        ['details'],
      ),
      request_id: text,
    },
    ['request_id'],
  ),
};
