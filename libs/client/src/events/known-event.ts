import type * as document from '../generated/types.gen.js';

/** An event of a type that this version of the package knows; its `type` says which `data` it has. */
export type KnownEvent =
  | document.CaseCreatedEvent
  | document.CaseDeletedEvent
  | document.CaseUpdatedEvent
  | document.CreatorUpdatedEvent
  | document.DeindexStatusChangedEvent
  | document.ImpersonationCreatedEvent
  | document.ImpersonationDeletedEvent
  | document.ImpersonationUpdatedEvent
  | document.ProtectionActivatedEvent
  | document.ProtectionPausedEvent
  | document.ScanCompletedEvent
  | document.ScanFailedEvent;

/** An event of a type that is newer than this version, or the `ping` of a test. */
export type UnknownEvent = Omit<document.Event, 'type' | 'data'> & {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
};

export type AnyEvent = KnownEvent | UnknownEvent;

const KNOWN: Readonly<Record<KnownEvent['type'], true>> = {
  'case.created': true,
  'case.deleted': true,
  'case.updated': true,
  'creator.updated': true,
  'deindex.status_changed': true,
  'impersonation.created': true,
  'impersonation.deleted': true,
  'impersonation.updated': true,
  'protection.activated': true,
  'protection.paused': true,
  'scan.completed': true,
  'scan.failed': true,
};

/** Narrows the event, so that in a `switch` over `type` each case has the right type of `data`. */
export const isKnownEvent = (event: AnyEvent): event is KnownEvent => Object.hasOwn(KNOWN, event.type);
