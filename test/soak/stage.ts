import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { SandboxClient } from '../../apps/platform-sandbox/src/index.js';
import type { ChildProcess } from '../support/child-process.js';
import { freePort } from '../support/free-port.js';
import { dashboardVariables, platformVariables } from '../support/platform-variables.js';
import { runTool } from '../support/tool.js';
import type { Account } from './api-client.js';
import type { PlatformReady } from './platform/main.js';
import { type AgencyPlan, hang, isRead, populate } from './population.js';
import { type RunningService, startService } from './service.js';
import { startPart } from './start-part.js';

const CAUGHT_UP_WITHIN = 300_000;
const MAX_LAG = 500;

/** The sandbox as platform, a data directory with an account for each agency, and the service's processes on it. */
export class Stage {
  private constructor(
    readonly dir: string,
    private readonly environment: NodeJS.ProcessEnv,
    private readonly platform: ChildProcess<PlatformReady>,
    private readonly controls: SandboxClient,
    private readonly plans: readonly AgencyPlan[],
  ) {}

  static async open(plans: readonly AgencyPlan[], rateLimit: number): Promise<Stage> {
    const dir = await mkdtemp(join(process.env.SOAK_DIR ?? tmpdir(), 'soak-'));
    const platform = await startPart<PlatformReady>('platform', {});
    const controls = new SandboxClient(platform.ready);
    await populate(controls, plans);
    const environment: NodeJS.ProcessEnv = {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_ENV: 'development',
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: dir,
      ...platformVariables(platform.ready),
      WEBHOOK_TARGETS: 'any',
      RATE_LIMIT_PER_MINUTE: String(rateLimit),
    };
    return new Stage(dir, environment, platform, controls, plans);
  }

  /** Binds the agency and issues a key; with a URL it gets a webhook endpoint too. */
  async account({ id }: AgencyPlan, hook: string | undefined): Promise<Account> {
    const { workspace_id } = await this.runTool<{ workspace_id: string }>('agencies', 'bind', '--agency', id);
    const issue = ['keys', 'issue', '--agency', id, '--preset', 'read_write'];
    const { secret } = await this.runTool<{ secret: string }>(...issue);
    if (hook !== undefined) await this.runTool('webhooks', 'register', '--agency', id, '--url', hook);
    return { agencyId: id, workspaceId: workspace_id, secret };
  }

  get platformReady(): PlatformReady {
    return this.platform.ready;
  }

  /** They take what hardly ever happens, so that they are read and not sent to. */
  async registerEndpoints(agencyId: string, count: number): Promise<void> {
    const register = ['webhooks', 'register', '--agency', agencyId, '--types', 'impersonation.deleted'];
    for (let n = 0; n < count; n++) await this.runTool(...register, '--url', `http://127.0.0.1:9/${n}`);
  }

  /** The API has the dashboard, at its own address. */
  async start(name: 'api' | 'worker'): Promise<RunningService> {
    const dashboard = dashboardVariables(this.platform.ready, await freePort());
    const environment = { ...this.environment, ...(name === 'api' && dashboard) };
    return startService(name, this.dir, environment, await freePort());
  }

  /**
   * Until the worker has read each agency's roster and its runners keep up; it goes on with the records of creators. Then
   * the calls begin to hang of which that is wanted.
   */
  async caughtUp(worker: RunningService): Promise<void> {
    const deadline = performance.now() + CAUGHT_UP_WITHIN;
    for (let times = 0; times < 3; ) {
      if (performance.now() > deadline) throw new Error('the worker did not read the rosters in time');
      await delay(1_000);
      const isReady = (await isRead(this.controls, this.plans)) && (await lagOf(worker)) < MAX_LAG;
      times = isReady ? times + 1 : 0;
    }
    await hang(this.controls, this.plans);
  }

  async close(): Promise<void> {
    await this.platform.stop();
    if (process.env.SOAK_KEEP === undefined) await rm(this.dir, { recursive: true, force: true });
  }

  private async runTool<Value>(...words: string[]): Promise<Value> {
    const environment = Object.fromEntries(
      Object.entries(this.environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
    const { status, stdout, stderr } = await runTool([...words, '--json'], environment);
    if (status !== 0) throw new Error(`cli ${words.join(' ')}: ${stderr}`);
    return JSON.parse(stdout) as Value;
  }
}

const lagOf = async ({ metricsUrl }: RunningService): Promise<number> => {
  const text = await (await fetch(metricsUrl)).text();
  const lags = [...text.matchAll(/^runner_lag\{[^}]*\} (\d+)/gm)].map(([, lag]) => Number(lag));
  return Math.max(...lags);
};
