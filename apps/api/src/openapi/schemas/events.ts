import { PUBLIC_EVENT_TYPES, type PublicEventType } from '#event-feed';
import {
  described,
  flag,
  idOf,
  instant,
  type JsonSchema,
  knownOf,
  live,
  objectOf,
  oneOf,
  pageOf,
  ref,
  text,
} from '#http';
import { DEINDEX_STATUSES, IMPERSONATION_STATUSES, scanErrorCode } from './resources.js';

type Data = Readonly<Record<string, JsonSchema>>;

const creator: Data = { creator_id: idOf('creator') };
const scan: Data = { ...creator, scan_id: idOf('scan'), svc_job_id: described(text, "The engine's id of the job.") };
const finding: Data = { ...creator, case_id: idOf('case') };
const shownCase: Data = {
  ...finding,
  scan_id: described(idOf('scan'), 'Only if an API scan found it.'),
  status: described(text, "The platform's wording, in any language."),
  case: ref('Case'),
};
const impersonation: Data = { ...creator, impersonation_id: idOf('impersonation') };
const shownImpersonation: Data = {
  ...impersonation,
  status: knownOf(IMPERSONATION_STATUSES, 'The progress of the report.'),
  impersonation: ref('PublishedImpersonation'),
};
const protection: Data = {
  ...creator,
  status: knownOf(['active', 'paused'], 'The new state of the protection.'),
  scope: oneOf('api_scan_schedule'),
  reason: knownOf(['api_request', 'creator_removed', 'membership_ended', 'slot_lost'], 'Why it changed.'),
};
const deindexRequest: Data = {
  ...finding,
  deindex_request_id: idOf('deindexRequest'),
  status: knownOf(DEINDEX_STATUSES, 'The new status of the request.'),
  submitted_to_provider: flag,
  removal_verified: flag,
};

interface DataOfType {
  readonly members: Data;
  readonly optional?: readonly string[];
}

/** The members of `data` for each event type, as in the announcements of the contexts. */
const DATA: Readonly<Record<PublicEventType, DataOfType>> = {
  'protection.activated': { members: protection },
  'protection.paused': { members: protection },
  'scan.completed': { members: scan, optional: ['svc_job_id'] },
  'scan.failed': {
    members: { ...scan, status: knownOf(['failed'], 'The status of the scan.'), reason: scanErrorCode },
    optional: ['svc_job_id', 'reason'],
  },
  'creator.updated': { members: { ...creator, creator: ref('FullCreator') } },
  'case.created': { members: shownCase, optional: ['scan_id', 'case'] },
  'case.updated': { members: shownCase, optional: ['scan_id'] },
  'case.deleted': { members: finding },
  'deindex.status_changed': { members: deindexRequest },
  'impersonation.created': { members: shownImpersonation },
  'impersonation.updated': { members: shownImpersonation },
  'impersonation.deleted': { members: impersonation },
};

/** The members of any event, including those of future types: only `creator_id` is always there. */
const anyData: Data = {
  ...Object.assign({}, ...Object.values(DATA).map(({ members }) => members)),
  status: described(text, 'The new status of the subject of the event.'),
  reason: described(text, 'Why it happened.'),
};

const envelope = (type: JsonSchema, data: JsonSchema): JsonSchema =>
  objectOf({
    id: described(idOf('event'), 'The same in the feed, in each delivery, and in `X-SVC-Event-ID`.'),
    type,
    workspace_id: idOf('workspace'),
    created_at: instant,
    simulated: live,
    data,
  });

export const schemaNameOf = (type: PublicEventType): string =>
  `${type.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}Event`;

const ofOneType = (type: PublicEventType): JsonSchema => {
  const { members, optional = [] } = DATA[type];
  return envelope(oneOf(type), objectOf(members, optional));
};

export const EVENT_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Event: described(
    envelope(
      knownOf(PUBLIC_EVENT_TYPES, 'What happened.'),
      objectOf(
        anyData,
        Object.keys(anyData).filter((name) => name !== 'creator_id'),
      ),
    ),
    'An event of the feed. Which members `data` has depends on its type; see the webhooks of the same names.',
  ),
  EventPage: pageOf(ref('Event')),
  ...Object.fromEntries(PUBLIC_EVENT_TYPES.map((type) => [schemaNameOf(type), ofOneType(type)])),
};
