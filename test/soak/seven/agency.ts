import type { Random } from '../../crash/support/random.js';
import { type Account, ApiClient, type Reply } from '../api-client.js';
import type { Answers } from '../latencies.js';
import { atRandomMoments } from '../pace.js';
import { Changes } from './changes.js';
import { FeedFollower } from './feed-follower.js';

interface CreatorBody {
  readonly id: string;
  readonly external_id: string;
  readonly svc_user_id: string | null;
  readonly protection_status: 'not_activated' | 'active' | 'paused';
}

interface Known {
  readonly id: string;
  readonly userId: string;
  isLinked: boolean;
  isActive: boolean;
  /** A change of it is under way: another one then would have no certain outcome. */
  isBusy: boolean;
  scans: number;
}

interface Page<Item> {
  readonly data: readonly Item[];
  readonly next_cursor: string | null;
}

interface CaseBody {
  readonly id: string;
  readonly scan_id: string | null;
}

const MAX_SCANS = 5;

/** An agency that uses the service as it is meant, and remembers which events the feed must have. */
export class WellBehavedAgency {
  readonly changes = new Changes();
  readonly feed: FeedFollower;
  readonly api: ApiClient;
  private readonly creators = new Map<string, Known>();
  private readonly pendingScans = new Set<string>();
  private readonly deindexable = new Set<string>();
  private rosterCursor = '';
  private named = 0;

  constructor(
    url: string,
    private readonly account: Account,
    private readonly random: Random,
    answers: Answers,
  ) {
    this.api = new ApiClient(url, account, answers);
    this.feed = new FeedFollower(this.api);
  }

  get creatorCount(): number {
    return this.creators.size;
  }

  run(perMinute: number, until: AbortSignal): Promise<void> {
    return atRandomMoments(perMinute, this.random, until, () => this.act());
  }

  /** Follows each scan to its end: those that completed are in the feed. */
  async finishScans(): Promise<void> {
    while (this.pendingScans.size > 0) {
      for (const id of this.pendingScans) this.lookedAt(id, await this.api.withRetries<ScanBody>(`/v1/scans/${id}`));
    }
  }

  private act(): Promise<unknown> {
    const known = this.random.pick([...this.creators.values()].slice(-5_000));
    const dice = this.random.next() * 100;
    if (known === undefined || dice < 6) return this.readRoster();
    if (dice < 14) return this.feed.look();
    if (dice < 16) return this.api.send('me', 'GET', '/v1/me');
    if (dice < 18) return this.api.send('usage', 'GET', '/v1/usage');
    if (dice < 20) return this.api.send('capacity', 'GET', '/v1/capacity');
    if (dice < 22) return this.invite();
    if (dice < 40) return this.readScan();
    if (dice < 42) return this.deindex();
    const path = `/v1/creators/${known.id}`;
    if (dice < 64) return this.api.send('creator', 'GET', path);
    if (dice < 66) return this.api.send('impersonations', 'GET', `${path}/impersonations`);
    if (dice < 68) return this.api.send('activity', 'GET', `${path}/activity`);
    if (dice < 76) return this.readCases(known);
    if (known.isBusy) return this.api.send('creator', 'GET', path);
    if (dice < 82) return this.exclusively(known, () => this.link(known));
    if (dice < 87) return this.exclusively(known, () => this.update(known));
    if (dice < 94) return this.exclusively(known, () => this.protect(known));
    return this.exclusively(known, () => (known.isActive ? this.scan(known) : this.protect(known)));
  }

  private async exclusively(known: Known, task: () => Promise<unknown>): Promise<void> {
    known.isBusy = true;
    await task();
    known.isBusy = false;
  }

  private async readRoster(): Promise<void> {
    const path = `/v1/creators?limit=100${this.rosterCursor}`;
    const { status, body } = await this.api.send<Page<CreatorBody>>('creators', 'GET', path);
    if (status !== 200) return;
    for (const creator of body.data) this.know(creator);
    this.rosterCursor = body.next_cursor === null ? '' : `&after=${body.next_cursor}`;
  }

  private know({ id, external_id, svc_user_id, protection_status }: CreatorBody): void {
    if (this.creators.has(id) || svc_user_id === null) return;
    const isLinked = !external_id.startsWith('svc:');
    const isActive = protection_status === 'active';
    this.creators.set(id, { id, userId: svc_user_id, isLinked, isActive, isBusy: false, scans: 0 });
  }

  private async link(known: Known): Promise<unknown> {
    if (known.isLinked) return this.update(known);
    const external_id = this.name('member');
    const body = {
      workspace_id: this.account.workspaceId,
      external_id,
      display_name: `Linked ${external_id}`,
      svc_user_id: known.userId,
    };
    const reply = await this.api.send('creators', 'POST', '/v1/creators', body);
    if (reply.status !== 201) return undefined;
    known.isLinked = true;
    this.changes.expect(`external id ${external_id}`);
    return undefined;
  }

  private async invite(): Promise<void> {
    const external_id = this.name('invitee');
    const body = {
      workspace_id: this.account.workspaceId,
      external_id,
      display_name: `Invited ${external_id}`,
      email: `${external_id.replaceAll(' ', '-')}@example.com`,
      first_name: 'Given',
      last_name: 'Family',
    };
    const { status } = await this.api.send('creators', 'POST', '/v1/creators', body);
    if (status === 201) this.changes.expect(`external id ${external_id}`);
  }

  private async update(known: Known): Promise<void> {
    const alias = this.name('alias');
    const path = `/v1/creators/${known.id}`;
    const { status } = await this.api.send('creator', 'PATCH', path, { aliases: [alias] });
    if (status === 200) this.changes.expect(`alias ${alias}`);
  }

  private async protect(known: Known): Promise<void> {
    const status = known.isActive ? 'paused' : 'active';
    // Most creators stay protected.
    if (known.isActive && this.random.chance(0.8)) return this.update(known);
    const path = `/v1/creators/${known.id}/protection`;
    const reply = await this.api.send('protection', 'PUT', path, { status });
    if (reply.status !== 200) return;
    known.isActive = status === 'active';
    this.changes.count(`protection.${known.isActive ? 'activated' : 'paused'} ${known.id}`);
  }

  private async scan(known: Known): Promise<void> {
    if (known.scans === MAX_SCANS) return this.update(known);
    const path = `/v1/creators/${known.id}/scans`;
    const reply = await this.api.send<ScanBody>('scans', 'POST', path, {}, this.name('scan'));
    if (reply.status !== 202) return;
    known.scans++;
    this.pendingScans.add(reply.body.id);
  }

  private async readScan(): Promise<void> {
    const id = this.random.pick([...this.pendingScans]) ?? 'scn_00000000000000000000000000';
    const { status, body } = await this.api.send<ScanBody>('scan', 'GET', `/v1/scans/${id}`);
    if (status === 200) this.lookedAt(id, body);
  }

  private lookedAt(id: string, { status }: ScanBody): void {
    if (status !== 'completed' && status !== 'failed' && status !== 'cancelled') return;
    this.pendingScans.delete(id);
    if (status !== 'cancelled') this.changes.expect(`scan.${status} ${id}`);
  }

  private async readCases(known: Known): Promise<void> {
    const path = `/v1/creators/${known.id}/cases?limit=100`;
    const { status, body }: Reply<Page<CaseBody>> = await this.api.send('cases', 'GET', path);
    if (status !== 200) return;
    for (const { id, scan_id } of body.data) {
      this.changes.expect(`case.created ${id}`);
      if (scan_id !== null) this.deindexable.add(id);
    }
  }

  private async deindex(): Promise<void> {
    const [caseId] = this.deindexable;
    if (caseId === undefined) return this.readScan();
    this.deindexable.delete(caseId);
    const path = `/v1/cases/${caseId}/deindex-requests`;
    const { status, body } = await this.api.send<{ id: string }>(
      'deindex',
      'POST',
      path,
      { provider: 'search' },
      this.name('deindex'),
    );
    if (status === 202) this.changes.expect(`deindex.status_changed ${body.id}`);
  }

  private name(kind: string): string {
    return `${kind} ${++this.named}`;
  }
}

interface ScanBody {
  readonly id: string;
  readonly status: string;
}
