import { PRESETS, type PublicConnection, type PublicWorkspace, type PublicWorkspaceSummary } from '#agencies';
import type { PublicActivity, PublicCase } from '#cases';
import type { PublicDeindexRequest } from '#deindexing';
import {
  always,
  amount,
  cents,
  count,
  described,
  flag,
  idOf,
  instant,
  isoTime,
  type JsonSchema,
  knownOf,
  listOf,
  live,
  type Members,
  objectOf,
  oneOf,
  orNull,
  pageOf,
  ref,
  text,
} from '#http';
import type { PublicImpersonation } from '#impersonations';
import { ERROR_CODES } from '#kernel';
import type { PublicScan } from '#scans';
import type { publicUsage } from '#usage';

const detail = objectOf({
  field: described(text, 'The wrong field, or an item of a list by its index, such as `aliases[3]`.'),
  message: described(text, 'What is wrong with it, and what would be accepted.'),
});

const error = objectOf(
  {
    code: knownOf(ERROR_CODES, 'The cause, for programs.'),
    message: described(text, 'The cause, for people. Its wording may change.'),
    details: described(listOf(detail), 'The wrong fields of an `invalid_request`, at most 20.'),
  },
  ['details'],
);

export const ERROR_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Error: objectOf({ error, request_id: described(text, 'Identifies the request in our logs.') }, ['request_id']),
};

/** D48: engines have their own codes in addition to these. */
const SCAN_ERROR_CODES = [
  'engine_rejected',
  'nothing_to_scan',
  'outcome_unknown',
  'protection_paused',
  'personal_data_erased',
];

/** The reason of a failure, also in `scan.failed`. */
export const scanErrorCode = knownOf(
  SCAN_ERROR_CODES,
  'Why the scan failed or was cancelled; engines have their own codes too.',
);

export const SCAN_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Scan: objectOf<PublicScan>({
    id: idOf('scan'),
    creator_id: idOf('creator'),
    status: described(
      oneOf('queued', 'dispatching', 'running', 'uncertain', 'completed', 'failed', 'cancelled'),
      'In `dispatching` and `uncertain` the service finds out what the engine did; do not replace the scan with another one.',
    ),
    source: oneOf('manual', 'scheduled'),
    created_at: instant,
    finished_at: described(orNull(instant), 'Unix epoch milliseconds; null while the scan is pending.'),
    error_code: orNull(scanErrorCode),
    svc_job_id: described(orNull(text), "The engine's id of the job."),
    simulated: live,
  }),
};

const CASE_STATUSES = ['detected', 'reviewing', 'notice_sent', 'removed', 'rejected', 'ignored'];
const observed = 'null if it was not observed yet';

const caseMembers: Members<PublicCase> = {
  id: idOf('case'),
  scan_id: described(orNull(idOf('scan')), 'The API scan that found it; null for a native finding.'),
  creator_id: idOf('creator'),
  status: described(text, "The platform's wording, in any language. It does not confirm that the content is gone."),
  status_code: knownOf(CASE_STATUSES, 'The status in stable English.'),
  url: described(text, 'Where the content was found.'),
  domain: described(text, 'The host of `url`; empty if it has none.'),
  favicon_url: described(orNull(text), 'An icon from an outside service. Show a fallback if it is not available.'),
  simulated: live,
  created_at: instant,
  source: described(oneOf('svc', 'api_scan'), '`api_scan` if a scan of this API found it.'),
  leak_id: described(text, "The platform's id. It is not used in paths."),
  updated_at: instant,
  actionable: described(orNull(flag), `Whether something can be done about it; ${observed}.`),
  dead_on_arrival: described(orNull(flag), `Whether the content was gone when it was found; ${observed}.`),
  available: described(flag, 'Whether the platform still lists the finding.'),
  api_deindex_supported: described(flag, 'Whether a deindex request is possible.'),
};

const ACTIVITY_TYPES = ['leak.detected', 'leak.status', 'notice.sent', 'leak.removed'];

export const CASE_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Case: described(objectOf(caseMembers), "A finding: a creator's content in a place where it should not be."),
  CasePage: pageOf(ref('Case')),
  Activity: objectOf<PublicActivity>({
    id: text,
    type: knownOf(ACTIVITY_TYPES, '`notice.sent` does not confirm that the notice was received.'),
    occurred_at: instant,
    timestamp_basis: knownOf(
      ['recorded', 'record_updated'],
      'Whether it was recorded at that time, or is part of a record that was last updated then.',
    ),
    leak_id: orNull(text),
    url: orNull(text),
    status: described(orNull(text), "The platform's wording, in any language."),
    status_code: described(orNull(text), 'The status in stable English, as in a case.'),
    simulated: live,
  }),
  ActivityPage: pageOf(ref('Activity')),
};

export const DEINDEX_STATUSES = [
  'queued',
  'dispatching',
  'uncertain',
  'submitted',
  'completed',
  'rejected',
  'failed',
  'cancelled',
] as const satisfies readonly PublicDeindexRequest['status'][];

const DEINDEX_ERROR_CODES = ['outcome_unknown', 'membership_ended', 'personal_data_erased'];

export const DEINDEX_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  DeindexRequest: objectOf<PublicDeindexRequest>({
    id: idOf('deindexRequest'),
    case_id: idOf('case'),
    creator_id: idOf('creator'),
    provider: oneOf('search'),
    status: knownOf(DEINDEX_STATUSES, '`queued` means that the request is neither submitted nor completed.'),
    simulated: live,
    submitted_to_provider: described(flag, 'What the provider says; an accepted request alone does not set it.'),
    removal_verified: described(flag, 'What the provider says; an accepted request alone does not set it.'),
    created_at: instant,
    updated_at: instant,
    error_code: orNull(knownOf(DEINDEX_ERROR_CODES, 'Why it failed; the provider has its own codes too.')),
  }),
};

export const IMPERSONATION_STATUSES = ['open', 'reported', 'removed', 'rejected'];

const impersonationMembers: Members<PublicImpersonation> = {
  id: idOf('impersonation'),
  creator_id: idOf('creator'),
  platform: text,
  url: text,
  username: orNull(text),
  status: knownOf(IMPERSONATION_STATUSES, 'The progress of the report.'),
  created_at: instant,
  updated_at: instant,
  available: described(flag, 'Whether the platform still lists the account.'),
  simulated: live,
};

export const IMPERSONATION_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Impersonation: described(
    objectOf(impersonationMembers),
    'An account that pretends to be the creator. Private notes and recipients of notices are left out.',
  ),
  PublishedImpersonation: described(
    objectOf(impersonationMembers, ['simulated']),
    'An impersonation as an event shows it. Events of earlier versions do not have `simulated`.',
  ),
  ImpersonationPage: pageOf(ref('Impersonation')),
};

const money = described(orNull(cents), 'In minor units; null if no price is configured.');

export const USAGE_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Usage: objectOf<ReturnType<typeof publicUsage>>({
    month: { type: 'string', pattern: '^\\d{4}-\\d{2}$', description: 'A UTC month, such as `2026-11`.' },
    period_start: isoTime,
    period_end: isoTime,
    measured_through: described(isoTime, 'The time up to which usage is in these figures.'),
    active_creator_count: described(count, 'Creators with any active time in the period.'),
    creator_seconds: amount,
    creator_months: described(amount, 'To six decimals.'),
    estimated_subtotal_cents: money,
    minimum_monthly_cents: money,
    estimated_total_cents: money,
    currency: oneOf('EUR', 'USD'),
    estimate: always(true, 'this is not an invoice.'),
    simulated: live,
    scope: oneOf('agency'),
    billing_basis: oneOf('active_api_scan_schedule'),
  }),
};

const workspaceSummary: Members<PublicWorkspaceSummary> = {
  id: idOf('workspace'),
  external_id: described(text, "The platform's id of the agency."),
  name: text,
};

const partner = objectOf({
  id: described(text, "The platform's id of the agency."),
  name: text,
  kind: oneOf('agency'),
});

export const AGENCY_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Connection: objectOf<PublicConnection>({
    partner: described(partner, 'The agency. The field has this name for historical reasons.'),
    workspace_id: described(orNull(idOf('workspace')), "The key's workspace."),
    key_id: described(orNull(idOf('key')), 'A reference to the key. It cannot authenticate.'),
    scopes: listOf(knownOf(PRESETS.read_write, 'A scope of the key.')),
    expires_at: described(orNull(instant), 'Unix epoch milliseconds; null for a key that does not expire.'),
    environment: oneOf('live'),
    workspaces: described(
      listOf(objectOf(workspaceSummary)),
      'The workspace of the key; empty for a key without `workspaces:read`.',
    ),
    engine_configured: described(flag, 'Whether scans can be queued.'),
    simulated: live,
  }),
  Workspace: objectOf<PublicWorkspace>({ ...workspaceSummary, created_at: instant, simulated: live }),
};
