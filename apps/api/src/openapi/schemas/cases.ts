import type { PublicActivity, PublicCase } from '#cases';
import {
  described,
  flag,
  idOf,
  instant,
  type JsonSchema,
  knownOf,
  live,
  type Members,
  objectOf,
  oneOf,
  orNull,
  pageOf,
  ref,
  text,
} from '#http';

const CASE_STATUSES = ['detected', 'reviewing', 'notice_sent', 'removed', 'rejected', 'ignored'];
const observed = 'null if it was not observed yet';

const caseMembers: Members<PublicCase> = {
  id: idOf('case'),
  scan_id: described(orNull(idOf('scan')), 'The API scan that found it; null for a native finding.'),
  creator_id: idOf('creator'),
  status: described(text, "The platform's wording, in any language. It is no confirmation that the content is gone."),
  status_code: knownOf(CASE_STATUSES, 'The status in stable English.'),
  url: described(text, 'Where the content was found.'),
  domain: described(text, 'The host of `url`; empty where it has none.'),
  favicon_url: described(orNull(text), 'An icon of an outside service. Show something else where it is not available.'),
  simulated: live,
  created_at: instant,
  source: described(oneOf('svc', 'api_scan'), '`api_scan` where a scan of this API found it.'),
  leak_id: described(text, "The platform's id. It is not used in paths."),
  updated_at: instant,
  actionable: described(orNull(flag), `Whether something can be done about it; ${observed}.`),
  dead_on_arrival: described(orNull(flag), `Whether the content was gone when it was found; ${observed}.`),
  available: described(flag, 'Whether the platform still lists the finding.'),
  api_deindex_supported: described(flag, 'Whether a deindex request is possible.'),
};

const ACTIVITY_TYPES = ['leak.detected', 'leak.status', 'notice.sent', 'leak.removed'];

export const CASE_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Case: described(objectOf(caseMembers), 'A finding: content of a creator at a place where it should not be.'),
  CasePage: pageOf(ref('Case')),
  Activity: objectOf<PublicActivity>({
    id: text,
    type: knownOf(ACTIVITY_TYPES, '`notice.sent` is no receipt of an inbox.'),
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
