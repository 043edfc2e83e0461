import type { Clock, Duration } from '#kernel';
import {
  DASHBOARD_CLIENT,
  type Effects,
  IDENTITY_PATH,
  type LoggedCall,
  type Sandbox,
  SandboxClient,
  startSandbox,
} from '../../../apps/platform-sandbox/src/index.js';

const TOKEN = 'sandbox-token';

export interface Fault {
  readonly operation: string;
  readonly kind: string;
  readonly match?: { readonly agency_id?: string; readonly user_id?: string; readonly reference?: string };
  readonly status?: number;
  readonly code?: string;
  readonly delay_ms?: number;
  readonly times?: number;
  readonly effect?: 'before' | 'after';
}

/** The sandbox over HTTP, at one address for as long as the test runs, and its controls. */
export class Platform {
  private constructor(
    private sandbox: Sandbox,
    private readonly options: {
      readonly file: string | undefined;
      readonly clock: Clock;
      readonly scanDurationMs: Duration;
    },
  ) {}

  static async start(options: Platform['options']): Promise<Platform> {
    return new Platform(await Platform.open(options, 0), options);
  }

  get url(): string {
    return this.sandbox.url;
  }

  get token(): string {
    return TOKEN;
  }

  /** Its OpenID provider, at which anybody of `PATCH /people/{id}` can sign in. */
  get identity() {
    const { id: clientId, secret: clientSecret } = DASHBOARD_CLIENT;
    return { issuer: this.url + IDENTITY_PATH, clientId, clientSecret };
  }

  /** Refuses connections until it is back. */
  stop(): Promise<void> {
    return this.sandbox.close();
  }

  async comeBack(): Promise<void> {
    this.sandbox = await Platform.open(this.options, Number(new URL(this.url).port));
  }

  control<Body = unknown>(method: string, path: string, body?: object): Promise<Body> {
    return new SandboxClient(this.sandbox).control<Body>(method, path, body);
  }

  fault(fault: Fault): Promise<unknown> {
    return this.control('POST', '/faults', fault);
  }

  /** Changes how the engine's next jobs run. */
  settings(settings: object): Promise<unknown> {
    return this.control('PATCH', '/settings', settings);
  }

  heal(): Promise<unknown> {
    return this.control('DELETE', '/faults');
  }

  effects(): Promise<Effects> {
    return this.control('GET', '/effects');
  }

  /** How many jobs the engine has made for a scan. */
  async jobsFor(scanId: string): Promise<number> {
    return (await this.effects()).scan_jobs[scanId] ?? 0;
  }

  /** Changes the job of a scan. */
  changeJob(scanId: string, change: object): Promise<unknown> {
    return this.control('PATCH', `/jobs/${scanId}`, change);
  }

  async calls(operation: string, reference?: string): Promise<LoggedCall[]> {
    const about = reference === undefined ? '' : `&reference=${reference}`;
    const { data } = await this.control<{ data: LoggedCall[] }>('GET', `/calls?operation=${operation}${about}`);
    return data;
  }

  /** Returns the operations that were called while the task ran, in order. */
  async calledDuring(task: () => Promise<unknown>): Promise<string[]> {
    await this.control('DELETE', '/calls');
    await task();
    const { data } = await this.control<{ data: LoggedCall[] }>('GET', '/calls');
    return data.map(({ operation }) => operation);
  }

  /** The jobs that the engine has for a user. */
  async jobsOf(userId: string): Promise<{ readonly handles: readonly object[] }[]> {
    const { jobs } = await this.control<{ jobs: { user_id: string; handles: object[] }[] }>('GET', '/state');
    return jobs.filter(({ user_id }) => user_id === userId);
  }

  /** The invitation that was sent for a creator, with what the mail was made of. */
  async invitationOf(creatorId: string): Promise<object | undefined> {
    const { invitations } = await this.control<{ invitations: { reference: string }[] }>('GET', '/state');
    return invitations.find(({ reference }) => reference === creatorId);
  }

  private static open({ file, clock, scanDurationMs }: Platform['options'], port: number): Promise<Sandbox> {
    return startSandbox({ token: TOKEN, port, file, scanDurationMs, now: () => clock.now() });
  }
}
