/** What a field may hold; `undefined` where the field may be left out. */
type Rule = (value: unknown) => boolean;
type Shape = Readonly<Record<string, Rule>>;

const string: Rule = (value) => typeof value === 'string';
const boolean: Rule = (value) => typeof value === 'boolean';
const instant: Rule = (value) => Number.isSafeInteger(value) && Number(value) > 1_000_000_000_000;
const isFalse: Rule = (value) => value === false;
const uuid: Rule = (value) => typeof value === 'string' && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value);
const isoInstant: Rule = (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value);
const strings: Rule = (value) => Array.isArray(value) && value.every(string);
const oneOf =
  (...values: readonly unknown[]): Rule =>
  (value) =>
    values.includes(value);
const orNull =
  (rule: Rule): Rule =>
  (value) =>
    value === null || rule(value);
const optional =
  (rule: Rule): Rule =>
  (value) =>
    value === undefined || rule(value);
/** D12: a prefix and 26 characters of Crockford base32. */
const id = (prefix: string): Rule => {
  const pattern = new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`);
  return (value) => typeof value === 'string' && pattern.test(value);
};
const object =
  (shape: Shape): Rule =>
  (value) =>
    mismatches(shape, value).length === 0;
const listOf =
  (rule: Rule): Rule =>
  (value) =>
    Array.isArray(value) && value.every(rule);
const page = (item: Rule, cursor: Rule): Shape => ({
  data: listOf(item),
  next_cursor: orNull(cursor),
  simulated: isFalse,
});

export const CREATOR: Shape = {
  id: id('crt'),
  workspace_id: id('wsp'),
  external_id: string,
  display_name: string,
  aliases: strings,
  profile_urls: (value) => strings(value) && (value as string[]).every((url) => url.startsWith('https://')),
  protection_status: oneOf('not_activated', 'active', 'paused'),
  created_at: instant,
  enrollment_status: oneOf(
    ...['enrolling', 'invited', 'pending_onboarding', 'linked', 'failed', 'uncertain'],
    ...['expired', 'cancelled', 'detached'],
  ),
  svc_user_id: orNull(uuid),
  invitation_id: orNull(string),
  simulated: isFalse,
  scan_schedule_managed_by: oneOf('api'),
  svc_subscription_managed_by: oneOf('svc'),
  identity_sync_pending: boolean,
};

export const ENROLLED: Shape = { ...CREATOR, email_sent: boolean };

export const FULL_CREATOR: Shape = {
  ...CREATOR,
  authorization: object({ approved: boolean, status: optional(string), expires_at: optional(orNull(isoInstant)) }),
  entitlement: object({ active: boolean, source: optional(string) }),
  eligible: boolean,
};

export const SCAN: Shape = {
  id: id('scn'),
  creator_id: id('crt'),
  status: oneOf('queued', 'dispatching', 'running', 'uncertain', 'completed', 'failed', 'cancelled'),
  source: oneOf('manual', 'scheduled'),
  created_at: instant,
  finished_at: orNull(instant),
  error_code: orNull(string),
  svc_job_id: orNull(string),
  simulated: isFalse,
};

const DEINDEX_REQUEST: Shape = {
  id: id('dix'),
  case_id: id('cas'),
  creator_id: id('crt'),
  provider: oneOf('search'),
  status: oneOf('queued', 'dispatching', 'uncertain', 'submitted', 'completed', 'rejected', 'failed', 'cancelled'),
  simulated: isFalse,
  submitted_to_provider: boolean,
  removal_verified: boolean,
  created_at: instant,
  updated_at: instant,
  error_code: orNull(string),
};

const CASE: Shape = {
  id: id('cas'),
  scan_id: orNull(id('scn')),
  creator_id: id('crt'),
  status: string,
  status_code: string,
  url: string,
  domain: string,
  favicon_url: orNull(string),
  simulated: isFalse,
  created_at: instant,
  source: oneOf('svc', 'api_scan'),
  leak_id: string,
  updated_at: instant,
  actionable: orNull(boolean),
  dead_on_arrival: orNull(boolean),
  available: boolean,
  api_deindex_supported: boolean,
};

const IMPERSONATION: Shape = {
  id: id('imp'),
  creator_id: id('crt'),
  platform: string,
  url: string,
  username: orNull(string),
  status: oneOf('open', 'reported', 'removed', 'rejected'),
  created_at: instant,
  updated_at: instant,
  available: boolean,
  simulated: isFalse,
};

const ACTIVITY: Shape = {
  id: string,
  type: oneOf('leak.detected', 'leak.status', 'notice.sent', 'leak.removed'),
  occurred_at: instant,
  timestamp_basis: oneOf('recorded', 'record_updated'),
  leak_id: orNull(string),
  url: orNull(string),
  status: orNull(string),
  status_code: orNull(string),
  simulated: isFalse,
};

const EVENT: Shape = {
  id: id('evt'),
  type: string,
  workspace_id: id('wsp'),
  created_at: instant,
  simulated: isFalse,
  data: object({
    creator_id: id('crt'),
    scan_id: optional(id('scn')),
    case_id: optional(id('cas')),
    svc_job_id: optional(string),
    status: optional(string),
    reason: optional(string),
    scope: optional(oneOf('api_scan_schedule')),
    creator: optional(object(FULL_CREATOR)),
    case: optional(object(CASE)),
    impersonation_id: optional(id('imp')),
    // Events of earlier versions do not have it (D54).
    impersonation: optional(object({ ...IMPERSONATION, simulated: optional(isFalse) })),
    deindex_request_id: optional(id('dix')),
    submitted_to_provider: optional(boolean),
    removal_verified: optional(boolean),
  }),
};

const WORKSPACE: Shape = { id: id('wsp'), external_id: string, name: string };

export const CONNECTION: Shape = {
  partner: object({ id: string, name: string, kind: oneOf('agency') }),
  workspace_id: orNull(id('wsp')),
  key_id: orNull(id('key')),
  scopes: strings,
  expires_at: orNull(instant),
  environment: oneOf('live'),
  workspaces: listOf(object(WORKSPACE)),
  engine_configured: boolean,
  simulated: isFalse,
};

/** The shape of each route's success, by its method and path. */
const ROUTES: readonly (readonly [RegExp, Shape])[] = [
  [/^GET \/v1\/me$/, CONNECTION],
  [/^GET \/v1\/workspaces\/[^/]+$/, { ...WORKSPACE, created_at: instant, simulated: isFalse }],
  [/^GET \/v1\/creators$/, page(object(FULL_CREATOR), uuid)],
  [/^(?:GET|PATCH) \/v1\/creators\/[^/]+$/, FULL_CREATOR],
  [/^DELETE \/v1\/creators\/[^/]+$/, CREATOR],
  [/^POST \/v1\/creators\/[^/]+\/resend-invitation$/, ENROLLED],
  [/^PUT \/v1\/creators\/[^/]+\/protection$/, CREATOR],
  [/^GET \/v1\/creators\/[^/]+\/cases$/, page(object(CASE), id('cas'))],
  [/^GET \/v1\/creators\/[^/]+\/impersonations$/, page(object(IMPERSONATION), id('imp'))],
  [/^POST \/v1\/creators\/[^/]+\/impersonations$/, IMPERSONATION],
  [/^GET \/v1\/creators\/[^/]+\/activity$/, page(object(ACTIVITY), string)],
  [/^POST \/v1\/creators\/[^/]+\/scans$/, SCAN],
  [/^GET \/v1\/scans\/[^/]+$/, SCAN],
  [/^POST \/v1\/cases\/[^/]+\/deindex-requests$/, DEINDEX_REQUEST],
  [/^GET \/v1\/deindex-requests\/[^/]+$/, DEINDEX_REQUEST],
  [/^GET \/v1\/events$/, page(object(EVENT), id('evt'))],
];

/** The shape of a success, or undefined for a route that has none here. D26: `email_sent` is there on 201 only. */
export const shapeOf = (method: string, path: string, status: number): Shape | undefined => {
  const [route = ''] = path.split('?');
  if (method === 'POST' && route === '/v1/creators') return status === 201 ? ENROLLED : CREATOR;
  return ROUTES.find(([pattern]) => pattern.test(`${method} ${route}`))?.[1];
};

/** The fields that are missing, wrong, or not the specification's. */
export const mismatches = (shape: Shape, value: unknown): string[] => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return ['is no object'];
  const fields = new Map<string, unknown>(Object.entries(value));
  const wrong = Object.entries(shape).filter(([name, rule]) => !rule(fields.get(name)));
  const unknown = [...fields.keys()].filter((name) => !Object.hasOwn(shape, name));
  return [
    ...wrong.map(([name]) => `${name}: ${JSON.stringify(fields.get(name))}`),
    ...unknown.map((n) => `${n} is new`),
  ];
};
