import { expect, test } from '@jest/globals';
import { startService } from '../support/start-service.js';

// The field tables of the specification, and of D53 and D54, written down here once more: the document is held to them,
// and every answer of the suite to the document (see support/holds-everywhere.ts).
type Fields = Readonly<Record<string, string>>;

const simulated = { simulated: 'boolean' };

const CREATOR: Fields = {
  ...simulated,
  id: 'string',
  workspace_id: 'string',
  external_id: 'string to 200',
  display_name: 'string',
  aliases: 'array of string',
  profile_urls: 'array of string',
  protection_status: 'string',
  created_at: 'integer',
  enrollment_status: 'string',
  svc_user_id: 'string or null',
  invitation_id: 'string or null',
  scan_schedule_managed_by: 'string',
  svc_subscription_managed_by: 'string',
  identity_sync_pending: 'boolean',
};

const IMPERSONATION: Fields = {
  id: 'string',
  creator_id: 'string',
  platform: 'string',
  url: 'string',
  username: 'string or null',
  status: 'string',
  created_at: 'integer',
  updated_at: 'integer',
  available: 'boolean',
};

const SUMMARY: Fields = { id: 'string', external_id: 'string', name: 'string' };

const EVENT: Fields = {
  ...simulated,
  id: 'string',
  type: 'string',
  workspace_id: 'string',
  created_at: 'integer',
  data: 'object',
};

const scan: Fields = { creator_id: 'string', scan_id: 'string', 'svc_job_id?': 'string' };
const protection: Fields = { creator_id: 'string', status: 'string', scope: 'string', reason: 'string' };
const finding: Fields = { creator_id: 'string', case_id: 'string' };
const shownCase: Fields = { ...finding, 'scan_id?': 'string', status: 'string' };
const impersonation: Fields = { creator_id: 'string', impersonation_id: 'string' };
const shownImpersonation: Fields = { ...impersonation, status: 'string', impersonation: 'PublishedImpersonation' };

/** `data` of the events of one type, by the name of their schema. */
const EVENT_DATA: Readonly<Record<string, Fields>> = {
  ProtectionActivatedEvent: protection,
  ProtectionPausedEvent: protection,
  ScanCompletedEvent: scan,
  ScanFailedEvent: { ...scan, status: 'string', 'reason?': 'string' },
  CreatorUpdatedEvent: { creator_id: 'string', creator: 'FullCreator' },
  CaseCreatedEvent: { ...shownCase, 'case?': 'Case' },
  CaseUpdatedEvent: { ...shownCase, case: 'Case' },
  CaseDeletedEvent: finding,
  DeindexStatusChangedEvent: {
    ...finding,
    deindex_request_id: 'string',
    status: 'string',
    submitted_to_provider: 'boolean',
    removal_verified: 'boolean',
  },
  ImpersonationCreatedEvent: shownImpersonation,
  ImpersonationUpdatedEvent: shownImpersonation,
  ImpersonationDeletedEvent: impersonation,
};

const page = (items: string): Fields => ({ ...simulated, data: `array of ${items}`, next_cursor: 'string or null' });

const ANSWERS: Readonly<Record<string, Fields>> = {
  Connection: {
    ...simulated,
    partner: 'object',
    workspace_id: 'string or null',
    key_id: 'string or null',
    scopes: 'array of string',
    expires_at: 'integer or null',
    environment: 'string',
    workspaces: 'array of object',
    engine_configured: 'boolean',
  },
  'Connection.partner': { id: 'string', name: 'string', kind: 'string' },
  'Connection.workspaces': SUMMARY,
  Workspace: { ...simulated, ...SUMMARY, created_at: 'integer' },
  Creator: { ...CREATOR, 'email_sent?': 'boolean' },
  FullCreator: { ...CREATOR, authorization: 'object', entitlement: 'object', eligible: 'boolean' },
  'FullCreator.authorization': { approved: 'boolean', 'status?': 'string', 'expires_at?': 'string or null' },
  'FullCreator.entitlement': { active: 'boolean', 'source?': 'string' },
  CreatorPage: page('FullCreator'),
  Scan: {
    ...simulated,
    id: 'string',
    creator_id: 'string',
    status: 'string',
    source: 'string',
    created_at: 'integer',
    finished_at: 'integer or null',
    error_code: 'string or null',
    svc_job_id: 'string or null',
  },
  Case: {
    ...simulated,
    id: 'string',
    scan_id: 'string or null',
    creator_id: 'string',
    status: 'string',
    status_code: 'string',
    url: 'string',
    domain: 'string',
    favicon_url: 'string or null',
    created_at: 'integer',
    source: 'string',
    leak_id: 'string',
    updated_at: 'integer',
    actionable: 'boolean or null',
    dead_on_arrival: 'boolean or null',
    available: 'boolean',
    api_deindex_supported: 'boolean',
  },
  CasePage: page('Case'),
  DeindexRequest: {
    ...simulated,
    id: 'string',
    case_id: 'string',
    creator_id: 'string',
    provider: 'string',
    status: 'string',
    submitted_to_provider: 'boolean',
    removal_verified: 'boolean',
    created_at: 'integer',
    updated_at: 'integer',
    error_code: 'string or null',
  },
  Usage: {
    ...simulated,
    month: 'string',
    period_start: 'string',
    period_end: 'string',
    measured_through: 'string',
    active_creator_count: 'integer',
    creator_seconds: 'number',
    creator_months: 'number',
    estimated_subtotal_cents: 'integer or null',
    minimum_monthly_cents: 'integer or null',
    estimated_total_cents: 'integer or null',
    currency: 'string',
    estimate: 'boolean',
    scope: 'string',
    billing_basis: 'string',
  },
  Capacity: {
    ...simulated,
    plan: 'string',
    subscription_status: 'string',
    protection_eligible: 'boolean',
    total_slots: 'integer',
    occupied_slots: 'integer',
    reserved_slots: 'integer',
    available_slots: 'integer',
    overflow_slots: 'integer',
    api_included: 'boolean',
    checked_at: 'string',
  },
  Event: EVENT,
  'Event.data': {
    creator_id: 'string',
    'scan_id?': 'string',
    'case_id?': 'string',
    'svc_job_id?': 'string',
    'status?': 'string',
    'reason?': 'string',
    'scope?': 'string',
    'deindex_request_id?': 'string',
    'submitted_to_provider?': 'boolean',
    'removal_verified?': 'boolean',
    'creator?': 'FullCreator',
    'case?': 'Case',
    'impersonation_id?': 'string',
    'impersonation?': 'PublishedImpersonation',
  },
  EventPage: page('Event'),
  ...Object.fromEntries(
    Object.entries(EVENT_DATA).flatMap(([name, data]) => [
      [name, EVENT],
      [`${name}.data`, data],
    ]),
  ),
  Impersonation: { ...IMPERSONATION, simulated: 'boolean' },
  PublishedImpersonation: { ...IMPERSONATION, 'simulated?': 'boolean' },
  ImpersonationPage: page('Impersonation'),
  Activity: {
    ...simulated,
    id: 'string',
    type: 'string',
    occurred_at: 'integer',
    timestamp_basis: 'string',
    leak_id: 'string or null',
    url: 'string or null',
    status: 'string or null',
    status_code: 'string or null',
  },
  ActivityPage: page('Activity'),
  Error: { error: 'object', 'request_id?': 'string' },
  'Error.error': { code: 'string', message: 'string', 'details?': 'array of object' },
  'Error.error.details': { field: 'string', message: 'string' },
};

const BODIES: Readonly<Record<string, Fields>> = {
  EnrollCreatorBody: {
    workspace_id: 'string to 200',
    external_id: 'string to 200',
    display_name: 'string to 160',
    'aliases?': 'array to 30 of string to 160',
    'profile_urls?': 'array to 20 of string to 2048',
    'svc_user_id?': 'string',
    'email?': 'string to 254',
    'first_name?': 'string to 100',
    'last_name?': 'string to 100',
    'locale?': 'string',
  },
  UpdateCreatorBody: {
    'display_name?': 'string to 160',
    'aliases?': 'array to 30 of string to 160',
    'profile_urls?': 'array to 20 of string to 2048',
  },
  SetProtectionBody: { status: 'string' },
  RequestDeindexBody: { provider: 'string' },
  ReportImpersonationBody: { url: 'string to 2048' },
  EmptyBody: {},
};

interface Schema {
  readonly type?: string | readonly string[];
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly $ref?: string;
}

interface Parameter {
  readonly name: string;
  readonly schema: {
    readonly type: string;
    readonly minimum?: number;
    readonly maximum?: number;
    readonly default?: number;
  };
}

const service = await startService();
const { components, paths } = (await (await fetch(`${service.url}/openapi.json`)).json()) as {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly parameters?: readonly Parameter[] }>>>>;
};

const typeOf = ({ $ref, type = 'any', items, maxLength, maxItems }: Schema): string => {
  if ($ref !== undefined) return $ref.replace('#/components/schemas/', '');
  const types = [type].flat();
  const limit = maxLength ?? maxItems;
  const bounds = limit === undefined ? '' : ` to ${limit}`;
  return `${types.join(' or ')}${bounds}${items === undefined ? '' : ` of ${typeOf(items)}`}`;
};

const fieldsOf = ({ properties = {}, required = [] }: Schema): Fields =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [required.includes(name) ? name : `${name}?`, typeOf(schema)]),
  );

/** The schema of a name, or of the object that a member of it is, or holds. */
const schemaOf = (path: string): Schema => {
  const [name = '', ...members] = path.split('.');
  return members.reduce<Schema>(
    (schema, member) => schema.properties?.[member]?.items ?? schema.properties?.[member] ?? {},
    components.schemas[name] ?? {},
  );
};

test.each(Object.entries(ANSWERS))('%s has the fields of its table, and is open to more (D103)', (name, fields) => {
  const schema = schemaOf(name);
  expect(fieldsOf(schema)).toEqual(fields);
  expect(schema).not.toHaveProperty('additionalProperties');
});

test.each(Object.entries(BODIES))(
  '%s has the fields of its table, with their limits, and takes no others (D7)',
  (name, fields) => {
    const schema = schemaOf(name);
    expect(fieldsOf(schema)).toEqual(fields);
    expect(schema.additionalProperties).toBe(false);
  },
);

test('no other shape is described', () => {
  const known = Object.keys({ ...ANSWERS, ...BODIES }).filter((name) => !name.includes('.'));
  expect(Object.keys(components.schemas).toSorted()).toEqual(known.toSorted());
});

test('a page holds 1 to 100, 25 unless asked otherwise; a page of the report 100 (limits, D52)', () => {
  const limits = Object.entries(paths).flatMap(([path, operations]) =>
    Object.values(operations).flatMap(({ parameters = [] }) =>
      parameters.filter(({ name }) => name === 'limit').map(({ schema }) => [path, schema] as const),
    ),
  );
  const bounded = (size: number) => ({ type: 'integer', minimum: 1, maximum: 100, default: size, example: size });
  expect(Object.fromEntries(limits)).toEqual({
    '/v1/creators': bounded(25),
    '/v1/creators/{id}/cases': bounded(25),
    '/v1/creators/{id}/impersonations': bounded(25),
    '/v1/creators/{id}/activity': bounded(25),
    '/v1/events': bounded(25),
    '/v1/creators/{id}/report': bounded(100),
  });
});
