import type { CreatorProtection, FullCreator } from '#client';
import { DAY, type Duration } from '#kernel';
import type { SandboxClient } from '../../platform-sandbox/src/index.js';
import type { DemoPast } from './demo-past.js';

/** Eligible creators that `npm run demo` can still enroll. */
const LEFT_FREE = 3;
const ENROLLED_TOGETHER = 4;
/** By this time of work, all others are enrolled. */
const BEGINNING = 9;
/** Some days before the present, so that the invitation is open. */
const INVITING = 28;
const INVITED = {
  external_id: 'NL-2001',
  display_name: 'Sunniva Aasen',
  first_name: 'Sunniva',
  last_name: 'Aasen',
  email: 'sunniva@northlight.example',
};
/** One in nine is paused for good. */
const PAUSED = 9;
/** One in ten is scanned each time, in addition to the schedule. */
const SCANNED = 10;
/** The creators whose cases somebody reads, and the leaks of each on which the platform has worked. */
const [CHECKED, WORKED_ON] = [2, 3];
const NEXT_STATUS: Readonly<Record<string, string>> = {
  detected: 'reviewing',
  reviewing: 'notice_sent',
  notice_sent: 'removed',
};

interface State {
  readonly leaks: readonly { readonly leak_id: string; readonly user_id: string; readonly status_code: string }[];
}

/** The programs of the demo agency, and the platform's part of the work. */
export class DemoWork {
  /** In the order of their enrollment. */
  private readonly enrolled: string[] = [];
  private readonly client: CreatorProtection;

  constructor(
    private readonly past: DemoPast,
    private readonly platform: SandboxClient,
    private readonly backend: string,
    private readonly reports: string,
  ) {
    this.client = past.clientWith(backend);
  }

  /** `number` counts the times of work, and `left` is how long before the present this one is. */
  async do(number: number, left: Duration): Promise<void> {
    const workspace_id = String((await this.client.connection.get()).workspace_id);
    const roster = (await this.client.creators.list({ limit: 100 }).toArray()).sort(byName);
    await this.enrollSome(workspace_id, roster);
    if (number >= BEGINNING) await this.changeProtection(number);
    if (number === INVITING) await this.client.creators.enroll({ workspace_id, ...INVITED });
    await Promise.all([
      this.scanSome(number, roster),
      this.followUp(number, roster),
      this.read(number),
      this.sendWrongRequests(number, left < DAY ? 3 : 1, roster),
    ]);
  }

  private async enrollSome(workspace_id: string, roster: readonly FullCreator[]): Promise<void> {
    const eligible = roster.filter((creator) => creator.eligible).slice(0, -LEFT_FREE);
    const rest = eligible.slice(this.enrolled.length, this.enrolled.length + ENROLLED_TOGETHER);
    const enrolling = rest.map(async ({ display_name, svc_user_id }, n) => {
      const external_id = `NL-${1001 + this.enrolled.length + n}`;
      const link = { workspace_id, external_id, display_name, svc_user_id: String(svc_user_id) };
      const { id } = await this.client.creators.enroll(link);
      await this.setProtection(id, 'active');
      return id;
    });
    this.enrolled.push(...(await Promise.all(enrolling)));
  }

  /** Some are paused for good. Of the others, one at a time pauses for some days. */
  private async changeProtection(number: number): Promise<void> {
    await this.setProtection(this.enrolled[PAUSED * (number - BEGINNING) + 4], 'paused');
    const others = this.enrolled.filter((_, n) => n % PAUSED !== 4);
    const one = others[(Math.floor(number / 3) * 5) % others.length];
    if (number % 3 === 0) await this.setProtection(one, 'paused');
    if (number % 3 === 2) await this.setProtection(one, 'active');
  }

  private async setProtection(id: string | undefined, status: 'active' | 'paused'): Promise<void> {
    if (id !== undefined) await this.client.creators.setProtection(id, { status });
  }

  private async scanSome(number: number, roster: readonly FullCreator[]): Promise<void> {
    const active = roster.filter(({ protection_status }) => protection_status === 'active');
    const chosen = active.filter((_, n) => (n + number) % SCANNED === 0);
    // The scheduled scan of a creator may be pending.
    await Promise.allSettled(chosen.map(({ id }) => this.client.scans.queue(id)));
  }

  /** The platform works on leaks, and the agency reads the cases and wants some out of the search results. */
  private async followUp(number: number, roster: readonly FullCreator[]): Promise<void> {
    const { leaks } = await this.platform.control<State>('GET', '/state');
    const creators = roster.filter(({ id }) => this.enrolled.includes(id));
    for (let n = 0; n < CHECKED; n++) {
      const { id, svc_user_id } = creators[(number * CHECKED + n) % creators.length] ?? {};
      if (id === undefined) continue;
      const open = leaks.filter(({ user_id, status_code }) => user_id === svc_user_id && status_code in NEXT_STATUS);
      const advance = ({ leak_id, status_code }: State['leaks'][number]) =>
        this.platform.control('PATCH', `/leaks/${leak_id}`, { status_code: NEXT_STATUS[status_code] });
      await Promise.all(open.slice(0, WORKED_ON).map(advance));
      const found = (await this.client.cases.list(id).toArray()).find(({ scan_id }) => scan_id !== null);
      if (n === 0 && found) await this.client.deindexing.request(found.id, { provider: 'search' });
      if (n === 0 && number % 9 === 5) {
        await this.client.impersonations.report(id, { url: `https://instagram.com/nl.fan.page${number}` });
      }
    }
  }

  private async read(number: number): Promise<void> {
    const paths = this.enrolled.slice(0, 1 + (number % 4)).map((id) => `/creators/${id}`);
    for (const path of paths) await this.past.send(this.backend, 'GET', path);
    for (const path of ['/events', '/usage', '/capacity']) await this.past.send(this.reports, 'GET', path);
  }

  private async sendWrongRequests(number: number, count: number, roster: readonly FullCreator[]): Promise<void> {
    const { backend, reports } = this;
    const [known, ineligible] = [this.enrolled[0], roster.find(({ eligible }) => !eligible)?.id];
    const wrong: Parameters<DemoPast['send']>[] = [
      [reports, 'PUT', `/creators/${known}/protection`, { status: 'active' }],
      [backend, 'GET', '/creators?limit=500'],
      [backend, 'POST', '/creators', { external_id: '', display_name: '' }],
      [backend, 'PUT', `/creators/${ineligible}/protection`, { status: 'active' }],
      [reports, 'GET', '/usage?month=2999-01'],
      [backend, 'POST', `/creators/${known}/scans`, {}],
      [backend, 'PUT', `/creators/${known}/protection`, { status: 'on' }],
    ];
    for (let n = 0; n < count; n++) {
      const request = wrong[(number * 3 + n) % wrong.length];
      if (request) await this.past.send(...request);
    }
  }
}

const byName = (one: FullCreator, other: FullCreator): number =>
  one.display_name.localeCompare(other.display_name, 'en');
