import { randomUUID } from 'node:crypto';
import { Collection, type Keys } from './collection.js';
import type { RecordFile } from './record-file.js';
import type * as kept from './records.js';

const DEFAULTS: kept.Settings = {
  scan_duration_ms: 4000,
  scan_auto: true,
  leaks_per_handle: 2,
  deindex_step_ms: null,
  email_accepted: true,
  onboard_after_ms: null,
};

/** The group of records that advance automatically, ordered by the time of their next step. */
export const MOVING = 'moving';

/** A job runs after this part of its duration. */
const QUEUED_FOR = 0.25;

/** Everything the sandbox knows. All changes are synchronous, so that one request's change is atomic. */
export class World {
  readonly agencies = this.#open<kept.AgencyRecord>('agency', { id: (r) => r.id });
  readonly creators = this.#open<kept.CreatorRecord>('creator', {
    id: (r) => r.user_id,
    owner: (r) => (r.archived ? undefined : (r.agency_id ?? undefined)),
  });
  readonly slots = this.#open<kept.SlotRecord>('slot', { id: (r) => r.user_id, owner: (r) => r.agency_id });
  readonly fences = this.#open<kept.FenceRecord>('fence', { id: (r) => fenceId(r.agency_id, r.user_id) });
  readonly invitations = this.#open<kept.InvitationRecord>('invitation', {
    id: (r) => r.id,
    // Only the pending ones are counted over, by their expiry.
    owner: (r) => (r.status === 'pending' ? r.agency_id : undefined),
    time: (r) => r.expires_at,
    alias: (r) => r.reference,
  });
  readonly leaks = this.#open<kept.LeakRecord>('leak', { id: (r) => r.leak_id, owner: (r) => r.user_id });
  readonly impersonations = this.#open<kept.ImpersonationRecord>('impersonation', {
    id: (r) => r.impersonation_id,
    owner: (r) => r.user_id,
  });
  readonly activity = this.#open<kept.ActivityRecord>('activity', {
    id: (r) => r.id,
    owner: (r) => r.user_id,
    time: (r) => r.occurred_at,
  });
  readonly jobs = this.#open<kept.ScanJobRecord>('job', {
    id: (r) => r.job_id,
    owner: (r) => (r.auto && r.finished_at === null ? MOVING : undefined),
    time: (r) => r.created_at + Math.ceil(r.duration_ms * (r.status === 'queued' ? QUEUED_FOR : 1)),
    alias: (r) => r.reference,
  });
  readonly submissions = this.#open<kept.SubmissionRecord>('submission', {
    id: (r) => r.submission_id,
    owner: (r) => (r.step_ms !== null && (r.status === 'queued' || r.status === 'submitted') ? MOVING : undefined),
    time: (r) => r.updated_at + (r.step_ms ?? 0),
    alias: (r) => r.reference,
  });
  readonly people = this.#open<kept.PersonRecord>('person', { id: (r) => r.id });
  readonly billingSessions = this.#open<kept.BillingSessionRecord>('billing-session', { id: (r) => r.id });
  readonly remembered = this.#open<kept.RememberedRecord>('remembered', {
    id: (r) => rememberedId(r.operation, r.key),
  });
  readonly effects = this.#open<kept.EffectRecord>('effect', { id: (r) => `${r.kind} ${r.reference}` });
  readonly #settings = this.#open<kept.Settings>('settings', { id: () => 'settings' });

  constructor(
    private readonly file: RecordFile | undefined,
    private readonly clock: () => number,
    private readonly initial: Partial<kept.Settings> = {},
  ) {}

  get settings(): kept.Settings {
    return { ...DEFAULTS, ...this.initial, ...this.#settings.get('settings') };
  }

  set settings(settings: kept.Settings) {
    this.#settings.put(settings);
  }

  now(): number {
    return this.clock();
  }

  /** A record's next `updated_at`: later than the last one, even if the clock does not move. */
  after(updatedAt: number): number {
    return Math.max(this.now(), updatedAt + 1);
  }

  newId(prefix: string): string {
    return `${prefix}_${randomUUID().replaceAll('-', '')}`;
  }

  countEffect(kind: kept.EffectKind, reference: string): void {
    const count = (this.effects.get(`${kind} ${reference}`)?.count ?? 0) + 1;
    this.effects.put({ kind, reference, count });
  }

  commit(): void {
    this.file?.commit();
  }

  /** The records of each kind. */
  all(): Record<string, unknown[]> {
    return Object.fromEntries(this.#collections().map(([kind, collection]) => [kind, [...collection.values()]]));
  }

  clear(): void {
    for (const [, collection] of this.#collections()) collection.clear();
    this.#settings.clear();
    this.file?.erase();
  }

  #collections() {
    return Object.entries(this).filter(
      (member): member is [string, Collection<unknown>] => member[1] instanceof Collection,
    );
  }

  #open<R>(kind: string, keys: Keys<R>): Collection<R> {
    return new Collection<R>(this.file, kind, keys);
  }
}

export function fenceId(agencyId: string, userId: string): string {
  return `${agencyId} ${userId}`;
}

export function rememberedId(operation: string, key: string): string {
  return `${operation} ${key}`;
}
