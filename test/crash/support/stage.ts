import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Effects,
  type LoggedCall,
  SandboxClient,
  startSandbox,
} from '../../../apps/platform-sandbox/src/index.js';
import { platformVariables } from '../../support/platform-variables.js';
import { type Environment, type Finished, runTool } from '../../support/tool.js';
import { AgencyClient } from './agency-client.js';
import { AppProcess, runToEnd } from './processes.js';

const EMBEDDED = ['events.db', 'documents.db'];
/** Others write too, and never for long. */
const OTHERS_WRITE = 300;

/** Whether somebody who wants to write the file can; one that is not there keeps nobody. */
const isFree = (file: string): boolean => {
  if (!existsSync(file)) return true;
  const database = new DatabaseSync(file, { timeout: OTHERS_WRITE });
  try {
    database.exec('BEGIN IMMEDIATE; ROLLBACK');
    return true;
  } catch {
    return false;
  } finally {
    database.close();
  }
};

export const AGENCY = 'agency_crash';

export interface PlatformState {
  readonly slots: readonly { readonly user_id: string; readonly api: boolean }[];
  readonly invitations: readonly { readonly id: string; readonly reference: string; readonly status: string }[];
  readonly leaks: readonly { readonly leak_id: string; readonly user_id: string; readonly job_id: string | null }[];
  readonly jobs: readonly { readonly job_id: string; readonly reference: string; readonly status: string }[];
  readonly creators: readonly { readonly user_id: string; readonly aliases: readonly string[] }[];
}

/** How long the service waits for the platform where nothing else is said, in milliseconds. */
export const PROVIDER_TIMEOUT = 1_000;

/** A platform with one agency, and a data directory on which processes of the built service run. */
export class Stage {
  private readonly running = new Set<AppProcess>();
  private readonly clients = new Set<AgencyClient>();

  private constructor(
    readonly dataDir: string,
    readonly environment: Environment,
    readonly platform: SandboxClient,
    private readonly closePlatform: () => Promise<void>,
  ) {}

  static async open(settings: Environment = {}): Promise<Stage> {
    const dataDir = await mkdtemp(join(tmpdir(), 'crash-'));
    const sandbox = await startSandbox({ token: 'crash-test-token', scanDurationMs: 200 });
    const environment = {
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: dataDir,
      ...platformVariables(sandbox),
      PROVIDER_TIMEOUT: `${PROVIDER_TIMEOUT}ms`,
      SCAN_POLL_EVERY: '200ms',
      RATE_LIMIT_PER_MINUTE: '0',
      ...settings,
    };
    return new Stage(dataDir, environment, new SandboxClient(sandbox), () => sandbox.close());
  }

  /** Creates or changes an agency at the platform. */
  agency(members: object, agencyId = AGENCY): Promise<unknown> {
    return this.platform.control('PATCH', `/agencies/${agencyId}`, members);
  }

  /** Makes members of the agency's roster; returns their user ids. */
  async members(count: number, traits: object = {}): Promise<string[]> {
    const body = { count, ...traits };
    const path = `/agencies/${AGENCY}/creators`;
    return (await this.platform.control<{ user_ids: string[] }>('POST', path, body)).user_ids;
  }

  start(app: 'api' | 'worker' | 'standalone', settings: Environment = {}): AppProcess {
    const process = new AppProcess(app, { ...this.environment, ...settings });
    this.running.add(process);
    return process;
  }

  /** Takes all time from a process, at a moment at which it keeps nobody else from writing. */
  async pause(process: AppProcess): Promise<void> {
    for (;;) {
      await process.pause();
      if (EMBEDDED.map((name) => join(this.dataDir, name)).every(isFree)) return;
      process.goOn();
      await delay(5);
    }
  }

  /** Runs the tool within this process. */
  tool(words: readonly string[], settings: Environment = {}): Promise<Finished> {
    return runTool(words, { ...this.environment, ...settings });
  }

  /** Runs the tool as the process that operators start. */
  cli(words: readonly string[], settings: Environment = {}): Promise<Finished> {
    return runToEnd('cli', words, { ...this.environment, ...settings });
  }

  /** Returns the tool's JSON output; throws if the tool fails. */
  async runTool<Value>(...words: string[]): Promise<Value> {
    const { status, stdout, stderr } = await this.tool([...words, '--json']);
    if (status !== 0) throw new Error(`cli ${words.join(' ')}: ${stderr}`);
    return JSON.parse(stdout) as Value;
  }

  /** Binds the agency, and issues a key that may do everything. */
  async openAccount(): Promise<{ readonly workspaceId: string; readonly secret: string; readonly keyId: string }> {
    const { workspace_id } = await this.runTool<{ workspace_id: string }>('agencies', 'bind', '--agency', AGENCY);
    const issue = ['keys', 'issue', '--agency', AGENCY, '--preset', 'read_write'];
    const { id, secret } = await this.runTool<{ id: string; secret: string }>(...issue);
    return { workspaceId: workspace_id, secret, keyId: id };
  }

  client(url: string, secret: string): AgencyClient {
    const client = new AgencyClient(url, secret);
    this.clients.add(client);
    return client;
  }

  fault(fault: object): Promise<unknown> {
    return this.platform.control('POST', '/faults', fault);
  }

  heal(): Promise<unknown> {
    return this.platform.control('DELETE', '/faults');
  }

  async calls(query = ''): Promise<readonly LoggedCall[]> {
    return (await this.platform.control<{ data: LoggedCall[] }>('GET', `/calls${query}`)).data;
  }

  effects(): Promise<Effects> {
    return this.platform.control('GET', '/effects');
  }

  state(): Promise<PlatformState> {
    return this.platform.control('GET', '/state');
  }

  async close(): Promise<void> {
    await Promise.all([...this.clients].map((client) => client.close()));
    await Promise.all([...this.running].map((process) => process.kill()));
    await this.closePlatform();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}
