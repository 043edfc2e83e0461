import type { SendRequest } from '../../support/client-fetch.js';
import { AgencyClient } from './agency-client.js';
import type { AppProcess } from './processes.js';
import type { Random } from './random.js';
import type { Stage } from './stage.js';
import { until } from './until.js';

type Member = { readonly app: 'api' | 'worker'; process: AppProcess; isUp: boolean };

/** The log level of warnings. */
const WARNING = 40;

/** Several APIs and workers on one stage, any of which may be killed and started again. */
export class Fleet {
  private readonly members: Member[];

  constructor(
    private readonly stage: Stage,
    apis: number,
    workers: number,
  ) {
    const apps = [...Array<'api'>(apis).fill('api'), ...Array<'worker'>(workers).fill('worker')];
    this.members = apps.map((app) => ({ app, process: stage.start(app), isUp: false }));
  }

  async ready(): Promise<void> {
    await Promise.all(this.members.map((member) => this.up(member)));
  }

  get workers(): readonly AppProcess[] {
    return this.members.filter(({ app }) => app === 'worker').map(({ process }) => process);
  }

  /** The addresses of the APIs that answer. */
  async addresses(): Promise<string[]> {
    const up = this.members.filter(({ app, isUp }) => app === 'api' && isUp);
    return Promise.all(up.map(({ process }) => process.ready()));
  }

  /** Lists the warnings of the running processes, each with its count. */
  troubles(): string[] {
    const counts = new Map<string, number>();
    for (const { app, process } of this.members) {
      for (const { level, msg, err } of process.logs) {
        if (level < WARNING) continue;
        const trouble = `${app}: ${msg}${isMessage(err) ? `, ${err.message}` : ''}`;
        counts.set(trouble, (counts.get(trouble) ?? 0) + 1);
      }
    }
    return [...counts].map(([trouble, count]) => `${count} × ${trouble}`);
  }

  private killable(): Member[] {
    const up = this.members.filter(({ isUp }) => isUp);
    const apis = up.filter(({ app }) => app === 'api');
    return up.filter(({ app }) => app === 'worker' || apis.length > 1);
  }

  /** Kills one of those that are up, as soon as one may be, and starts another in its place; at least one API is left. */
  async killOne(random: Random): Promise<{ readonly app: 'api' | 'worker'; readonly again: Promise<void> }> {
    await until('one may be killed', async () => this.killable().length > 0, 60_000);
    const member = random.pick(this.killable());
    if (member === undefined) throw new Error('nobody is left to be killed');
    member.isUp = false;
    await member.process.kill();
    member.process = this.stage.start(member.app);
    return { app: member.app, again: this.up(member) };
  }

  private async up(member: Member): Promise<void> {
    await member.process.ready();
    member.isUp = true;
  }
}

/** Sends each request to any of the APIs: what one of them has written has to be seen through the others. */
export class FleetClient extends AgencyClient {
  private readonly clients = new Map<string, AgencyClient>();

  constructor(
    private readonly fleet: Fleet,
    private readonly stage: Stage,
    private readonly key: string,
    private readonly random: Random,
  ) {
    super('', key);
  }

  override async send(...request: Parameters<SendRequest>): ReturnType<SendRequest> {
    const url = this.random.pick(await this.fleet.addresses()) ?? '';
    const client = this.clients.get(url) ?? this.stage.client(url, this.key);
    this.clients.set(url, client);
    return client.send(...request);
  }
}

const isMessage = (error: unknown): error is { readonly message: string } =>
  typeof error === 'object' && error !== null && 'message' in error;
