import type { Case, FullCreator, Impersonation } from '../types.js';

interface OfCreator {
  readonly creator_id: string;
}

interface ProtectionChange extends OfCreator {
  readonly status: string;
  readonly scope: string;
  readonly reason: 'api_request' | 'creator_removed' | 'membership_ended' | 'slot_lost' | (string & {});
}

interface CaseChange extends OfCreator {
  readonly case_id: string;
  readonly scan_id?: string;
  readonly status: string;
  readonly case: Case;
}

interface ImpersonationChange extends OfCreator {
  readonly impersonation_id: string;
  readonly status: string;
  readonly impersonation: Impersonation;
}

/** The types of events that this version of the package knows, with what their `data` has. */
interface EventData {
  'creator.updated': OfCreator & { readonly creator: FullCreator };
  'protection.activated': ProtectionChange;
  'protection.paused': ProtectionChange;
  'scan.completed': OfCreator & { readonly scan_id: string; readonly svc_job_id: string };
  'scan.failed': OfCreator & {
    readonly scan_id: string;
    readonly svc_job_id?: string;
    readonly status: string;
    readonly reason?: string;
  };
  'case.created': CaseChange;
  'case.updated': CaseChange;
  'case.deleted': OfCreator & { readonly case_id: string };
  'impersonation.created': ImpersonationChange;
  'impersonation.updated': ImpersonationChange;
  'impersonation.deleted': OfCreator & { readonly impersonation_id: string };
  'deindex.status_changed': OfCreator & {
    readonly deindex_request_id: string;
    readonly case_id: string;
    readonly status: string;
    readonly submitted_to_provider: boolean;
    readonly removal_verified: boolean;
  };
}

const KNOWN: Readonly<Record<keyof EventData, true>> = {
  'creator.updated': true,
  'protection.activated': true,
  'protection.paused': true,
  'scan.completed': true,
  'scan.failed': true,
  'case.created': true,
  'case.updated': true,
  'case.deleted': true,
  'impersonation.created': true,
  'impersonation.updated': true,
  'impersonation.deleted': true,
  'deindex.status_changed': true,
};

interface Envelope<Type extends string, Data> {
  readonly id: string;
  readonly type: Type;
  readonly workspace_id: string;
  /** Epoch milliseconds. */
  readonly created_at: number;
  readonly simulated: boolean;
  readonly data: Data;
}

/** An event of a type that this version of the package knows; `type` says which `data` it has. */
export type KnownEvent = { [Type in keyof EventData]: Envelope<Type, EventData[Type]> }[keyof EventData];

/** An event of a type that is newer than this version, or the `ping` of a test. */
export type UnknownEvent = Envelope<string, Readonly<Record<string, unknown>>>;

export type Event = KnownEvent | UnknownEvent;

/** Narrows the event, so that a `switch` over its `type` has the types of `data`. */
export const isKnownEvent = (event: Event): event is KnownEvent => Object.hasOwn(KNOWN, event.type);
