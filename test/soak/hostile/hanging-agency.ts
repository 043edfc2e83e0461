import type { Random } from '../../crash/support/random.js';
import { type Account, ApiClient } from '../api-client.js';
import type { Answers } from '../latencies.js';

interface CreatorPage {
  readonly data: readonly { readonly id: string; readonly svc_user_id: string | null }[];
}

/** An agency whose platform calls hang, which enrolls addresses that are refused, and removes those again. */
export class HangingAgency {
  private readonly api: ApiClient;
  private creators: readonly string[] = [];
  private readonly refused: string[] = [];
  private seed = 0;

  constructor(
    url: string,
    private readonly account: Account,
    private readonly random: Random,
    answers: Answers,
  ) {
    this.api = new ApiClient(url, account, answers);
  }

  act(): Promise<unknown> {
    const dice = this.random.next() * 100;
    const creator = this.random.pick(this.creators);
    if (creator === undefined || dice < 5) return this.readRoster();
    if (dice < 25) return this.enroll();
    if (dice < 45) return this.remove();
    const path = `/v1/creators/${creator}`;
    if (dice < 50) return this.api.send('protection', 'PUT', `${path}/protection`, { status: 'active' });
    if (dice < 60) return this.api.send('scans', 'POST', `${path}/scans`, {}, `scan ${++this.seed}`);
    if (dice < 75) return this.api.send('cases', 'GET', `${path}/cases?limit=100`);
    if (dice < 85) return this.api.send('report', 'GET', `${path}/report`);
    if (dice < 90) return this.api.send('activity', 'GET', `${path}/activity`);
    return this.api.send('creator', 'GET', path);
  }

  private async readRoster(): Promise<void> {
    const { status, body } = await this.api.send<CreatorPage>('creators', 'GET', '/v1/creators?limit=100');
    if (status !== 200) return;
    this.creators = body.data.flatMap(({ id, svc_user_id }) => (svc_user_id === null ? [] : [id]));
  }

  private async enroll(): Promise<void> {
    const name = `refused-${++this.seed}`;
    const { status, location } = await this.api.send('creators', 'POST', '/v1/creators', {
      workspace_id: this.account.workspaceId,
      external_id: name,
      display_name: name,
      email: `${name}@rejected.example`,
      first_name: 'Given',
      last_name: 'Family',
    });
    if (status === 400 && location !== undefined) this.refused.push(location);
  }

  private async remove(): Promise<unknown> {
    const location = this.refused.shift();
    return location === undefined ? this.enroll() : this.api.send('creator', 'DELETE', location);
  }
}
