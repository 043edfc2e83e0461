import type { EventType } from '../answers/parts.js';

/** The page shares no values with the server. A type without a row does not compile. */
const ALL: Readonly<Record<EventType, true>> = {
  'protection.activated': true,
  'protection.paused': true,
  'scan.completed': true,
  'scan.failed': true,
  'creator.updated': true,
  'case.created': true,
  'case.updated': true,
  'case.deleted': true,
  'deindex.status_changed': true,
  'impersonation.created': true,
  'impersonation.updated': true,
  'impersonation.deleted': true,
};

export const EVENT_TYPES = Object.keys(ALL) as readonly EventType[];
