import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Duration, SECOND } from '#kernel';
import {
  type Config,
  createLogger,
  createServices,
  openStores,
  readConfig,
  type Services,
} from '../../../apps/composition/src/index.js';
import { type Standalone, startStandalone } from '../../../apps/standalone/src/standalone.js';
import { Agency, type AgencyOptions } from './agency.js';
import type { OpenApiDocument } from './documented.js';
import { eventually } from './eventually.js';
import { holdAgainst } from './holds-everywhere.js';
import { lag } from './lag.js';
import { PATIENCE } from './patience.js';
import { Platform } from './platform.js';
import { Quiet } from './quiet.js';
import { countRecorded } from './recorded.js';
import { type ServedStores, startStores } from './stores.js';
import { TestClock } from './test-clock.js';
import { waitForViews } from './wait-for-views.js';

export interface ServiceOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Where something else goes by the same clock. */
  readonly clock?: TestClock;
  /** How long, in milliseconds, read models and feed take to follow each write: what does not wait for them reads too early. */
  readonly viewsLagBy?: Duration;
  /** The platform is made to answer nothing at times: it is given up after `GIVEN_UP_AFTER`, and not as late as can be. */
  readonly platformHangs?: boolean;
  /** Keeps the sandbox's state in a file, so that it can go down and come back. */
  readonly platformOnDisk?: boolean;
}

/** Milliseconds after which a platform that hangs is given up. */
export const GIVEN_UP_AFTER = SECOND * PATIENCE;
const LONGEST_TIMEOUT = 15 * SECOND;
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
    private running: Running,
  ) {}

  static async start(options: ServiceOptions = {}): Promise<Service> {
    const {
      env = {},
      clock = new TestClock(),
      platformHangs = false,
      platformOnDisk = false,
      viewsLagBy = 0,
    } = options;
    const directory = mkdtempSync(join(tmpdir(), 'e2e-'));
    const file = platformOnDisk ? join(directory, 'platform.db') : undefined;
    const platform = await Platform.start({ file, clock, scanDurationMs: SCAN_DURATION });
    const stores = await startStores(directory);
    const environment = {
      DATA_DIR: join(directory, 'data'),
      NATIVE_PLATFORM_URL: platform.url,
      NATIVE_PLATFORM_TOKEN: platform.token,
      SCAN_ENGINE_URL: platform.url,
      SCAN_ENGINE_TOKEN: platform.token,
      DEINDEX_PROVIDER_URL: platform.url,
      DEINDEX_PROVIDER_TOKEN: platform.token,
      RATE_LIMIT_PER_MINUTE: '0',
      PROVIDER_TIMEOUT: `${platformHangs ? GIVEN_UP_AFTER : LONGEST_TIMEOUT}ms`,
      VERIFICATION_CACHE: '0s',
      SCAN_POLL_EVERY: '1s',
      ...env,
    };
    const config = { ...readConfig(environment), ...stores.places };
    const running = await run(config, clock, viewsLagBy);
    const document = await fetch(`${running.standalone.url}/openapi.json`);
    holdAgainst((await document.json()) as OpenApiDocument);
    return new Service(clock, platform, viewsLagBy, directory, config, stores, running);
  }

  get url(): string {
    return this.running.standalone.url;
  }

  /** How many events it has recorded since it was started, seals apart. */
  get recorded(): number {
    return this.running.recorded.events;
  }

  get services(): Services {
    return this.running.services;
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
    return eventually(look, { meanwhile: () => this.pass(step) });
  }

  /** Everything that is due at this moment has been done, and everything that follows from it is shown. */
  quiet(): Promise<void> {
    return this.running.quiet.reached();
  }

  /** Runs the task while the worker takes nothing up: what is queued stays queued. */
  whileNothingIsDone<T>(task: () => Promise<T>): Promise<T> {
    return this.running.quiet.holding(task);
  }

  /** Stops, and starts on the same data. */
  async restart(changes: Partial<Config> = {}, meanwhile?: () => Promise<unknown>): Promise<void> {
    await halt(this.running);
    await meanwhile?.();
    this.running = await run({ ...this.config, ...changes }, this.clock, this.viewsLagBy);
  }

  /** Its configuration, but on stores of their own, which are empty; they end with the service. */
  async onOtherStores(): Promise<Config> {
    const directory = join(this.directory, crypto.randomUUID());
    const stores = await startStores(directory);
    this.otherStores.push(stores);
    return { ...this.config, dataDir: join(directory, 'data'), ...stores.places };
  }

  /** Loses the document store, which follows from the log, between stopping and starting. */
  loseDocuments(): Promise<void> {
    return this.restart({}, () => this.stores.loseDocuments());
  }

  async stop(): Promise<void> {
    await halt(this.running);
    for (const stores of [this.stores, ...this.otherStores]) await stores.stop();
    await this.platform.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

interface Running {
  readonly services: Services;
  readonly standalone: Standalone;
  readonly quiet: Quiet;
  readonly recorded: { readonly events: number };
}

const run = async (config: Config, clock: TestClock, viewsLagBy: Duration): Promise<Running> => {
  const services = await createServices(config, await openStores(config), clock);
  if (viewsLagBy > 0) lag(services, viewsLagBy);
  else waitForViews(services);
  const quiet = new Quiet(services);
  const recorded = countRecorded(services);
  const anyPort = { ...config, port: 0 };
  const standalone = await startStandalone(services, anyPort, createLogger(process.env.E2E_LOG ?? 'silent'));
  quiet.watch(standalone.worker);
  return { services, standalone, quiet, recorded };
};

const halt = async ({ services, standalone }: Running): Promise<void> => {
  await standalone.stop();
  await services.close();
};
