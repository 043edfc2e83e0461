import { randomUUID } from 'node:crypto';
import { Collection, type Keys, type RecordFile, timeKey } from './collection.js';
import type * as kept from './records.js';

const DEFAULTS: kept.Settings = {
  scan_duration_ms: 4000,
  scan_auto: true,
  leaks_per_handle: 2,
  deindex_step_ms: null,
  onboard_after_ms: null,
  failing_receivers: [],
};

/** The group of records that advance automatically, ordered by the time of their next step. */
export const MOVING = 'moving';

/** A job starts running after this part of its duration. */
const QUEUED_FOR = 0.25;

/** Everything the sandbox knows. All changes are synchronous, so each request's change is atomic. */
export class World {
  readonly agencies = this.#open<kept.AgencyRecord>('agency', { id: (r) => r.id });
  readonly creators = this.#open<kept.CreatorRecord>('creator', {
    id: (r) => r.user_id,
    places: (r) => (r.archived || r.agency_id === null ? [] : [[r.agency_id, r.user_id]]),
  });
  readonly slots = this.#open<kept.SlotRecord>('hold', {
    id: (r) => slotId(r.agency_id, r.user_id),
    places: (r) => (r.api || r.dashboard ? [[r.agency_id, r.user_id]] : []),
  });
  readonly invitations = this.#open<kept.InvitationRecord>('invitation', {
    id: (r) => r.id,
    alias: (r) => r.reference,
    places: (r) => (r.status === 'pending' ? [[r.agency_id, timeKey(r.expires_at, r.id)]] : []),
  });
  readonly leaks = this.#open<kept.LeakRecord>('leak', {
    id: (r) => r.leak_id,
    places: (r) => [
      [r.user_id, r.leak_id],
      [byUpdate(r.user_id), timeKey(r.updated_at, r.leak_id)],
    ],
  });
  readonly impersonations = this.#open<kept.ImpersonationRecord>('impersonation', {
    id: (r) => r.impersonation_id,
    places: (r) => [[r.user_id, r.impersonation_id]],
  });
  readonly activity = this.#open<kept.ActivityRecord>('activity', {
    id: (r) => r.id,
    places: (r) => [[r.user_id, timeKey(r.occurred_at, r.id)]],
  });
  readonly jobs = this.#open<kept.ScanJobRecord>('job', {
    id: (r) => r.job_id,
    alias: (r) => r.reference,
    places: (r) => {
      const next = r.created_at + Math.ceil(r.duration_ms * (r.status === 'queued' ? QUEUED_FOR : 1));
      return r.auto && r.finished_at === null ? [[MOVING, timeKey(next, r.job_id)]] : [];
    },
  });
  readonly submissions = this.#open<kept.SubmissionRecord>('submission', {
    id: (r) => r.submission_id,
    alias: (r) => r.reference,
    places: (r) =>
      r.step_ms !== null && (r.status === 'queued' || r.status === 'submitted')
        ? [[MOVING, timeKey(r.updated_at + r.step_ms, r.submission_id)]]
        : [],
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
    readonly now: () => number,
    private readonly initial: Partial<kept.Settings> = {},
  ) {}

  get settings(): kept.Settings {
    return { ...DEFAULTS, ...this.initial, ...this.#settings.get('settings') };
  }

  set settings(settings: kept.Settings) {
    this.#settings.put(settings);
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

/** The group of a creator's leaks, sorted by their last change. */
export function byUpdate(userId: string): string {
  return `${userId} by update`;
}

export function slotId(agencyId: string, userId: string): string {
  return `${agencyId} ${userId}`;
}

export function rememberedId(operation: string, key: string): string {
  return `${operation} ${key}`;
}
