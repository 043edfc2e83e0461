import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SandboxClient, startSandbox } from '../../../apps/platform-sandbox/src/index.js';
import { AppProcess } from '../../crash/support/processes.js';
import { freePort } from '../../support/free-port.js';
import { dashboardVariables, platformVariables } from '../../support/platform-variables.js';
import { type Environment, runTool } from '../../support/tool.js';

const DEMO_AGENCY = 'agency_demo';

/** The sandbox with its demo agency and identity provider, and the built service in a process on embedded stores. */
export class Dashboard {
  private constructor(
    readonly url: string,
    readonly platform: SandboxClient,
    private readonly environment: Environment,
    private readonly stopSandbox: () => Promise<void>,
    private service: AppProcess,
  ) {}

  /** `before`: what is done with the same data before the service starts. */
  static async start(
    settings: Environment = {},
    before: (environment: Environment, platform: SandboxClient) => Promise<void> = async () => undefined,
  ): Promise<Dashboard> {
    const sandbox = await startSandbox({ token: 'browser-test-token', demo: true, scanDurationMs: 200 });
    const dataDir = await mkdtemp(join(tmpdir(), 'browser-'));
    const port = await freePort();
    const environment = {
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      ...platformVariables(sandbox),
      ...dashboardVariables(sandbox, port),
      WEBHOOK_TARGETS: 'any',
      VERIFICATION_CACHE: '0s',
      RATE_LIMIT_PER_MINUTE: '0',
      ...settings,
    };
    const stopSandbox = async () => {
      await sandbox.close();
      await rm(dataDir, { recursive: true, force: true });
    };
    const platform = new SandboxClient(sandbox);
    await before(environment, platform);
    const service = new AppProcess('standalone', environment);
    await service.ready();
    return new Dashboard(environment.DASHBOARD_URL, platform, environment, stopSandbox, service);
  }

  /** Where the API of the same process is. */
  get apiUrl(): string {
    return new URL(this.url).origin;
  }

  /** Binds the demo agency, as its owner does on the overview. */
  async bindAgency(): Promise<void> {
    const { status, stderr } = await runTool(['agencies', 'bind', '--agency', DEMO_AGENCY], this.environment);
    if (status !== 0) throw new Error(stderr);
  }

  /** Stops the service, and starts it on the same data. */
  async restart(whileStopped: () => Promise<void>): Promise<void> {
    await this.service.stop();
    await whileStopped();
    this.service = new AppProcess('standalone', this.environment);
    await this.service.ready();
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.stopSandbox();
  }
}
