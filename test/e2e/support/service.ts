import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, readConfig } from '#configuration';
import { type Duration, SECOND } from '#kernel';
import { createLogger } from '#observability';
import { eventually, TIMEOUT_FACTOR } from '#testing';
import type { ConnectionLimits } from '../../support/connection-limits.js';
import type { CountedStores } from '../../support/counted-stores.js';
import { freePort } from '../../support/free-port.js';
import { type Jobs, type OpenService, openService, type Services } from '../../support/open-service.js';
import { platformVariables } from '../../support/platform-variables.js';
import { Agency, type AgencyOptions } from './agency.js';
import { holdAgainst } from './holds-everywhere.js';
import { lag } from './lag.js';
import { Platform } from './platform.js';
import { Quiet } from './quiet.js';
import { countRecorded } from './recorded.js';
import { embeddedStores, type ServedStores, startStores } from './stores.js';
import { TestClock } from './test-clock.js';
import { waitForViews } from './wait-for-views.js';

export interface OpenIdProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

type Environment = Readonly<Record<string, string>>;

export interface ServiceOptions {
  /** Variables of the service, which may depend on the platform. */
  readonly env?: Environment | ((platform: Platform) => Promise<Environment>);
  /** Where something else goes by the same clock. */
  readonly clock?: TestClock;
  /** How long, in milliseconds, read models and feed take to follow each write: what does not wait for them reads too early. */
  readonly viewsLagBy?: Duration;
  /** For tests in which the platform hangs: calls time out after `GIVEN_UP_AFTER` instead of the maximum. */
  readonly platformHangs?: boolean;
  /** Keeps the sandbox's state in a file, so that it can go down and come back. */
  readonly platformOnDisk?: boolean;
  /** Opens its stores, and counts what is asked of them. */
  readonly counted?: CountedStores;
  /** Holds the data of embedded stores as `data`, and the sandbox's state as `platform.db`; the service removes it when it stops. */
  readonly folder?: string;
  /** The OpenID provider of the dashboard; without one there is no dashboard. */
  readonly provider?: OpenIdProvider | 'sandbox';
  /** Where records are large: at a mebibyte a second, as in production, most of the time is spent with waiting. */
  readonly largeBytesPerSecond?: number;
}

/** Milliseconds after which a platform that hangs is given up. */
export const GIVEN_UP_AFTER = SECOND * TIMEOUT_FACTOR;
const MAX_TIMEOUT = 15 * SECOND;
const SCAN_DURATION = 4 * SECOND;

/** The whole service in this process, against a sandbox in this process, over real HTTP and real files. */
export class Service {
  private readonly otherStores: ServedStores[] = [];

  private constructor(
    readonly clock: TestClock,
    readonly platform: Platform,
    private readonly viewsLagBy: Duration,
    private readonly directory: string,
    private readonly config: Config,
    private readonly stores: ServedStores,
    private readonly counted: CountedStores | undefined,
    private running: Running,
  ) {}

  static async start(options: ServiceOptions = {}): Promise<Service> {
    const {
      env = {},
      clock = new TestClock(),
      platformHangs = false,
      viewsLagBy = 0,
      counted,
      folder,
      provider,
      largeBytesPerSecond,
      platformOnDisk = folder !== undefined,
    } = options;
    const directory = folder ?? mkdtempSync(join(tmpdir(), 'e2e-'));
    const file = platformOnDisk ? join(directory, 'platform.db') : undefined;
    const platform = await Platform.start({ file, clock, scanDurationMs: SCAN_DURATION });
    const stores =
      folder === undefined && counted === undefined ? await startStores(directory) : embeddedStores(directory);
    const environment = {
      DATA_DIR: join(directory, 'data'),
      ...platformVariables(platform),
      RATE_LIMIT_PER_MINUTE: '0',
      PROVIDER_TIMEOUT: `${platformHangs ? GIVEN_UP_AFTER : MAX_TIMEOUT}ms`,
      VERIFICATION_CACHE: '0s',
      SCAN_POLL_EVERY: '1s',
      CACHES: process.env.E2E_CACHES ?? 'on',
      ...(provider && (await dashboardOf(provider === 'sandbox' ? platform.identity : provider))),
      ...(typeof env === 'function' ? await env(platform) : env),
    };
    const config = {
      ...readConfig(environment),
      ...stores.settings,
      ...(largeBytesPerSecond !== undefined && { largeBytesPerSecond }),
    };
    const running = await run(config, clock, viewsLagBy, counted);
    const document = await fetch(`${running.url}/openapi.json`);
    holdAgainst(await document.text());
    return new Service(clock, platform, viewsLagBy, directory, config, stores, counted, running);
  }

  get url(): string {
    return this.running.url;
  }

  /** How many events it has recorded since it was started, seals apart. */
  get recorded(): number {
    return this.running.recorded.events;
  }

  get services(): Services {
    return this.running.opened.services;
  }

  /** The worker's jobs in this process, which run between requests. */
  get jobs(): Jobs {
    return this.running.jobs;
  }

  /** An agency at the platform that is bound here and has a key that may read and write. */
  agency(options: AgencyOptions = {}): Promise<Agency> {
    return Agency.open(this, options);
  }

  /** Lets time pass, and has done all that fell due by it. */
  async pass(time: Duration): Promise<void> {
    this.clock.advance(time);
    await this.quiet();
  }

  /** Lets time pass in steps until the look throws nothing. */
  async passUntil<T>(look: () => Promise<T>, step: Duration = SECOND): Promise<T> {
    await this.quiet();
    return eventually(look, { betweenPolls: () => this.pass(step) });
  }

  /** Everything that is due at this moment has been done, and everything that follows from it is shown. */
  quiet(): Promise<void> {
    return this.running.quiet.reached();
  }

  /** How long, in milliseconds, requests may synchronize a list from now on; a call of the platform keeps its own timeout. */
  budgetOfRequests(budget: Duration = this.config.providerTimeout): void {
    Object.assign(this.services.creatorsOptions, { providerTimeout: budget });
  }

  /** Runs the task while the worker takes nothing up: what is queued stays queued. */
  whileNothingIsDone<T>(task: () => Promise<T>): Promise<T> {
    return this.running.quiet.holding(task);
  }

  /** Another API on the same services, which its caller closes. */
  startApi(limits?: ConnectionLimits): ReturnType<OpenService['startApi']> {
    return this.running.opened.startApi(limits && { limits });
  }

  /** The operators' listener, which its caller closes. */
  startOpsListener(): ReturnType<OpenService['startOpsListener']> {
    return this.running.opened.startOpsListener();
  }

  /** Another process on the same stores, such as the operators' tool; its caller closes it. */
  openAnother(): Promise<OpenService> {
    return openService(this.services.config, { clock: this.clock });
  }

  /** Stops, and starts on the same data. */
  async restart(changes: Partial<Config> = {}, whileStopped?: () => Promise<unknown>): Promise<void> {
    await this.running.opened.close();
    await whileStopped?.();
    this.running = await run({ ...this.config, ...changes }, this.clock, this.viewsLagBy, this.counted);
  }

  /** Its configuration, but on stores of their own, which are empty; they end with the service. */
  async onOtherStores(): Promise<Config> {
    const directory = join(this.directory, crypto.randomUUID());
    const stores = await startStores(directory);
    this.otherStores.push(stores);
    return { ...this.config, dataDir: join(directory, 'data'), ...stores.settings };
  }

  /** Loses the document store, which follows from the log, between stopping and starting. */
  loseDocuments(): Promise<void> {
    return this.restart({}, () => this.stores.loseDocuments());
  }

  async stop(): Promise<void> {
    await this.running.opened.close();
    for (const stores of [this.stores, ...this.otherStores]) await stores.stop();
    await this.platform.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

const dashboardOf = async ({ issuer, clientId, clientSecret }: OpenIdProvider) => ({
  DASHBOARD_URL: `http://127.0.0.1:${await freePort()}/dashboard`,
  OIDC_ISSUER_URL: issuer,
  OIDC_CLIENT_ID: clientId,
  OIDC_CLIENT_SECRET: clientSecret,
});

interface Running {
  readonly jobs: Jobs;
  readonly opened: OpenService;
  readonly url: string;
  readonly quiet: Quiet;
  readonly recorded: { readonly events: number };
}

const run = async (
  config: Config,
  clock: TestClock,
  viewsLagBy: Duration,
  counted: CountedStores | undefined,
): Promise<Running> => {
  const logger = createLogger(process.env.E2E_LOG ?? 'silent');
  const port = config.dashboard === undefined ? 0 : Number(new URL(config.dashboard.url).port);
  const opened = await openService(config, {
    clock,
    logger,
    port,
    ...(counted && { stores: await counted.open(config) }),
  });
  const { services } = opened;
  if (viewsLagBy > 0) lag(services, viewsLagBy);
  else waitForViews(services);
  const quiet = new Quiet(services);
  const recorded = countRecorded(services);
  const { url, pollers, jobs } = await opened.start();
  counted?.watch(jobs);
  quiet.watch(pollers);
  return { opened, url, quiet, recorded, jobs };
};
