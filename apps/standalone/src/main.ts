import { run } from '../../composition/src/index.js';
import { startStandalone } from './standalone.js';

await run(async (services, config, logger) => {
  const standalone = await startStandalone(services, config, logger);
  logger.info({ url: standalone.url }, 'standalone ready');
  return standalone;
});
