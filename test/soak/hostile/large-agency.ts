import type { Random } from '../../crash/support/random.js';
import { type Account, ApiClient } from '../api-client.js';
import type { Answers } from '../latencies.js';
import { BROKEN_QUERIES, enrollment, longestAliases, longestProfiles } from './bodies.js';

interface CreatorPage {
  readonly data: readonly {
    readonly id: string;
    readonly svc_user_id: string | null;
    readonly aliases: readonly string[];
  }[];
  readonly next_cursor: string | null;
}

/** An agency of which each request is as large as it may be, or larger, or wrong. */
export class LargeAgency {
  private readonly api: ApiClient;
  private readonly stranger: ApiClient;
  private readonly creators: string[] = [];
  /** Those with the most records at the platform. */
  private readonly giants: string[] = [];
  private rosterCursor = '';
  private seed = 0;

  constructor(
    url: string,
    private readonly account: Account,
    private readonly random: Random,
    answers: Answers,
    strangers: Answers,
  ) {
    this.api = new ApiClient(url, account, answers);
    this.stranger = new ApiClient(url, { ...account, secret: unknownSecret(random) }, strangers);
  }

  act(): Promise<unknown> {
    const seed = ++this.seed;
    const dice = this.random.next() * 100;
    const creator = this.random.pick(this.creators);
    if (creator === undefined || dice < 10) return this.readRoster();
    if (dice < 18) return this.api.send('creators', 'POST', '/v1/creators', enrollment(this.account.workspaceId, seed));
    if (dice < 36) return this.update(creator, seed);
    if (dice < 44) return this.api.send('broken', 'GET', this.random.pick(BROKEN_QUERIES) ?? '/');
    if (dice < 50) return this.api.send('events', 'GET', '/v1/events?limit=100');
    if (dice < 54) return this.stranger.send('unknown key', 'GET', '/v1/me');
    if (dice < 55) return this.api.send('megabytes', 'POST', '/v1/creators', { junk: 'j'.repeat(3_000_000) });
    return this.askOfGiant(this.random.pick(this.giants) ?? creator);
  }

  private async readRoster(): Promise<void> {
    const path = `/v1/creators?limit=100${this.rosterCursor}`;
    const { status, body } = await this.api.send<CreatorPage>('creators', 'GET', path);
    if (status !== 200) return;
    this.rosterCursor = body.next_cursor === null ? '' : `&after=${body.next_cursor}`;
    for (const { id, svc_user_id, aliases } of body.data) {
      if (svc_user_id === null || this.creators.includes(id)) continue;
      this.creators.push(id);
      if (aliases.length >= 300) this.giants.push(id);
    }
  }

  private update(creator: string, seed: number): Promise<unknown> {
    const change = seed % 3 === 0 ? { profile_urls: longestProfiles(seed) } : { aliases: longestAliases(seed) };
    return this.api.send('creator', 'PATCH', `/v1/creators/${creator}`, change);
  }

  private askOfGiant(giant: string): Promise<unknown> {
    const path = `/v1/creators/${giant}`;
    const dice = this.random.next() * 100;
    if (dice < 10) return this.api.send('protection', 'PUT', `${path}/protection`, { status: 'active' });
    if (dice < 20) return this.api.send('scans', 'POST', `${path}/scans`, {}, `${this.seed} `.padEnd(120, '~'));
    if (dice < 45) return this.api.send('cases', 'GET', `${path}/cases?limit=100`);
    if (dice < 60) return this.api.send('report', 'GET', `${path}/report?limit=100`);
    if (dice < 75) return this.api.send('activity', 'GET', `${path}/activity?limit=100`);
    if (dice < 85) return this.api.send('impersonations', 'GET', `${path}/impersonations?limit=100`);
    return this.api.send('creator', 'GET', path);
  }
}

const unknownSecret = (random: Random): string =>
  `svc_live_${Array.from({ length: 43 }, () => 'abcdefghijklmnop'[Math.floor(random.next() * 16)]).join('')}`;
