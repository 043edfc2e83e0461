import { run } from '../../composition/src/index.js';

await run(async (services, config, logger) => {
  // Loaded when the configuration has been found right.
  const { startStandalone } = await import('./standalone.js');
  const standalone = await startStandalone(services, config, logger);
  logger.info({ url: standalone.url }, 'standalone ready');
  return standalone;
});
