import type { DynamicModule, INestApplicationContext } from '@nestjs/common';
import { type Config, InvalidConfiguration, readConfig } from '#configuration';
import { STORED_EVENTS } from '#contexts';
import { Leader } from '#jobs';
import { type Clock, ClockWatch, type Logger, systemClock } from '#kernel';
import { NativePlatform } from '#native-platform';
import { createLogger, Metrics, type OperatorsListener, startOperatorsListener } from '#observability';
import { openStores } from '#stores';
import { LastSeals } from '#tamper-evidence';
import { requireLogOf } from './documents-check.js';
import { BUILD, exitIfAskedForVersion, markBuildInUse, STOP_SIGNALS, startOrExit } from './process.js';
import { ServiceModule } from './service.module.js';
import { ServiceGauges } from './service-gauges.js';

export interface Setup {
  /** The module that all apps share; the app's root module imports it. */
  readonly service: DynamicModule;
  readonly config: Config;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export interface Running {
  readonly app: INestApplicationContext;
  /** Accepts no more work, waits for the work in progress, and closes the stores. */
  stop(): Promise<void>;
}

const STOP_TIMEOUT = 9_000;
/** After this part of it, outside calls are aborted, so that requests that wait for one are answered in time. */
const CALLS_TIMEOUT = 5_500;

/** Runs an app on the configured stores until the process is asked to stop. Refuses an invalid configuration. */
export const run = async (start: (setup: Setup) => Promise<Running>): Promise<void> => {
  exitIfAskedForVersion();
  markBuildInUse();
  const config = configOrExit();
  const logger = createLogger(config.logLevel);
  guardOutputs(logger);
  logger.info(BUILD, 'starting');
  // As PID 1 of a container, it would ignore signals that it does not handle. Nothing is served yet, so it just exits.
  let onSignal: SignalHandler = () => process.exit(0);
  // Each listener stays until the end: a signal that arrives while it is being replaced would be lost.
  for (const signal of STOP_SIGNALS) process.on(signal, () => onSignal(signal));
  const setup = setupOf(config, logger);
  const { metrics } = setup;
  const { running, ops } = await startOrExit(
    async () => {
      // First, because a service that is ready must not end because of a port that is in use.
      let leader: Leader | undefined;
      const health = () => ({ role: leader?.role ?? 'none' });
      const ops = config.ops && (await startOperatorsListener(metrics, config.ops.host, config.ops.port, health));
      const running = await start(setup);
      leader = running.app.get(Leader);
      running.app.get(ServiceGauges).register();
      running.app.get(ClockWatch).start();
      const missing = await running.app.get(LastSeals).missing();
      if (missing !== undefined) logger.error({ fault: 'seals_missing' }, missing);
      return { running, ops };
    },
    { PORT: config.port, OPS_PORT: config.ops?.port },
  );
  onSignal = stopInOrder(running, ops, logger);
};

/** An app's parts, on the configured stores. */
export const setupOf = (config: Config, logger: Logger, clock: Clock = systemClock): Setup => {
  const metrics = new Metrics();
  metrics.nameBuild(BUILD);
  const openConfigured = () => openStores(config, STORED_EVENTS, { check: requireLogOf });
  const service = ServiceModule.forRoot({ config, openStores: openConfigured, clock, logger, metrics });
  return { service, config, logger, metrics };
};

type SignalHandler = (signal: NodeJS.Signals) => void;

/** Stops the app after an unhandled error, and on the signals that are passed to the returned function. */
const stopInOrder = (running: Running, ops: OperatorsListener | undefined, logger: Logger): SignalHandler => {
  let stopping: Promise<void> | undefined;
  const stop = (status: number) => {
    // Work that is still running is continued by the next process.
    setTimeout(() => process.exit(1), STOP_TIMEOUT).unref();
    setTimeout(() => running.app.get(NativePlatform).abortInFlight(), CALLS_TIMEOUT).unref();
    stopping ??= running
      .stop()
      .then(() => ops?.close())
      .then(() => process.exit(status));
    stopping.catch((error) => {
      logger.error({ err: error }, 'could not stop cleanly; the process exits');
      process.exit(1);
    });
  };
  // An error may have left work half done, so the process ends; in an orderly way, because other work must not be lost.
  process.on('uncaughtException', (error) => {
    logger.error({ err: error }, 'unhandled error; the process stops');
    stop(1);
  });
  // A defect that concerns one request or item is no reason to end all others.
  process.on('unhandledRejection', (error) =>
    logger.error({ err: error }, 'unhandled promise rejection; the process continues'),
  );
  return (signal) => {
    logger.info({ signal }, 'stopping');
    stop(0);
  };
};

/** D94: an output that nobody reads, or that is full, neither ends nor delays the process. */
const guardOutputs = (logger: Logger): void => {
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
  // Node would print its warnings itself, and wait for the reader.
  process.removeAllListeners('warning');
  process.on('warning', (warning) => logger.warn({ err: warning }, 'a warning of Node'));
};

const configOrExit = (): Config => {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (!(error instanceof InvalidConfiguration)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
};
