import { systemClock } from '#kernel';
import { type Config, InvalidConfiguration, readConfig } from './config.js';
import { type AppLogger, createLogger } from './logger.js';
import { startOpsListener } from './ops-listener.js';
import { createServices, type Services } from './services.js';
import { openStores } from './stores.js';

export interface Running {
  /** Begins nothing more, and waits for what is under way. */
  stop(): Promise<void>;
}

/** Longest time for an orderly stop, in milliseconds. */
const STOP_WITHIN = 9_000;
/** How long calls outside may take of it; then they are broken off, so that whoever waits for one is answered in time. */
const CALLS_END_WITHIN = 5_500;

/** Runs an app over the configured stores until it is told to stop; a wrong configuration is told and ends it. */
export const run = async (
  start: (services: Services, config: Config, logger: AppLogger) => Promise<Running>,
): Promise<void> => {
  const config = configOrExit();
  const logger = createLogger(config.logLevel);
  const { services, running, ops } = await startOrExit(async () => {
    const services = await createServices(config, await openStores(config), systemClock);
    const running = await start(services, config, logger);
    return {
      services,
      running,
      ops: config.ops && (await startOpsListener(services, config.ops.host, config.ops.port)),
    };
  });

  let stopping: Promise<void> | undefined;
  const stop = (signal: string) => {
    logger.info({ signal }, 'stopping');
    // What is still under way then is taken up again by whoever comes next.
    setTimeout(() => process.exit(1), STOP_WITHIN).unref();
    setTimeout(() => services.native.breakOff(), CALLS_END_WITHIN).unref();
    stopping ??= running
      .stop()
      .then(() => ops?.close())
      .then(() => services.close())
      .then(() => process.exit(0));
    stopping.catch((error) => {
      logger.error({ err: error }, 'could not stop in order');
      process.exit(1);
    });
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // One request's or one item's fault is not a reason for all others to end.
  process.on('unhandledRejection', (error) => logger.error({ err: error }, 'a promise was rejected and not handled'));
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

const startOrExit = async <Started>(start: () => Promise<Started>): Promise<Started> => {
  try {
    return await start();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`Could not start: ${reason}\n`);
    process.exit(1);
  }
};
