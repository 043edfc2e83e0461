/** The types of events, as in the feed. */
export const EVENT_TYPES = [
  'protection.activated',
  'protection.paused',
  'scan.completed',
  'scan.failed',
  'creator.updated',
  'case.created',
  'case.updated',
  'case.deleted',
  'deindex.status_changed',
  'impersonation.created',
  'impersonation.updated',
  'impersonation.deleted',
] as const;
