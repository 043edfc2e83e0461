import type { Capacity, Leak, NativeCreator } from '../contract/types.js';
import { type ContractClient, Skipped, skipUnless, walk } from './contract-client.js';

export interface Subject {
  client: ContractClient;
  discovery: Discovery;
  /** Distinguishes this run's references from those of earlier runs. */
  run: string;
}

/** Resolves if the implementation conforms; otherwise throws `Failed` or `Skipped`. */
type Verify = (subject: Subject) => Promise<void>;

export interface Check {
  name: string;
  verify: Verify;
}

export const check = (name: string, verify: Verify): Check => ({ name, verify });

/** How many creators are searched for records to page through. */
const MAX_CREATORS_READ = 30;
const MAX_LEAKS_READ = 1000;
/** More records than a walk with small pages reads; a server's own pages may be shorter than requested. */
const MAX_RECORDS_READ = 200;

/** Finds records of the given agency for the checks, once, on first use. */
export class Discovery {
  #creators: Promise<NativeCreator[]> | undefined;

  constructor(
    private readonly client: ContractClient,
    private readonly agency: string | undefined,
  ) {}

  get agencyId(): string {
    return skipUnless(this.agency, 'no agency was given');
  }

  capacity(): Promise<Capacity> {
    return this.client.get('getCapacity', 200, { path: { agency_id: this.agencyId } });
  }

  async requireFreeSlots(count: number): Promise<void> {
    const { occupied_slots, reserved_slots, total_slots } = await this.capacity();
    if (occupied_slots + reserved_slots + count > total_slots) throw new Skipped('too few free slots');
  }

  creators(): Promise<NativeCreator[]> {
    this.#creators ??= walk<NativeCreator>(this.client, 'listRoster', { agency_id: this.agencyId });
    return this.#creators;
  }

  async creator(): Promise<NativeCreator> {
    return skipUnless((await this.creators())[0], 'the roster is empty');
  }

  async path(): Promise<{ agency_id: string; user_id: string }> {
    return this.pathOf(await this.creator());
  }

  pathOf(creator: NativeCreator): { agency_id: string; user_id: string } {
    return { agency_id: this.agencyId, user_id: creator.user_id };
  }

  /** The creator with the most records of a kind. */
  async richest<R extends object>(operationId: 'listLeaks' | 'listImpersonations' | 'listActivity', atLeast: number) {
    let best: { path: { agency_id: string; user_id: string }; records: R[] } | undefined;
    for (const creator of (await this.creators()).slice(0, MAX_CREATORS_READ)) {
      const path = this.pathOf(creator);
      const records = await walk<R>(this.client, operationId, path, { limit: 200 }, MAX_RECORDS_READ);
      if (records.length > (best?.records.length ?? 0)) best = { path, records };
    }
    const enough = best && best.records.length >= atLeast ? best : undefined;
    return skipUnless(enough, `no creator with ${atLeast} records of ${operationId}`);
  }

  /** Someone with a leak that the provider should take, preferably one that a scan found. */
  async deindexable(): Promise<{ user_id: string; leak: Leak }> {
    let native: { user_id: string; leak: Leak } | undefined;
    for (const creator of (await this.creators()).slice(0, MAX_CREATORS_READ)) {
      const leaks = await walk<Leak>(this.client, 'listLeaks', this.pathOf(creator), { limit: 200 }, MAX_LEAKS_READ);
      const open = leaks.filter((one) => one.actionable && !one.dead_on_arrival && one.status_code === 'detected');
      const scanned = open.find((leak) => leak.job_id !== null);
      if (scanned) return { user_id: creator.user_id, leak: scanned };
      if (open[0]) native ??= { user_id: creator.user_id, leak: open[0] };
    }
    return skipUnless(native, 'no leak to deindex');
  }
}
