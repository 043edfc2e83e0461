import { run } from '../../composition/src/index.js';

await run(async (services, config, logger) => {
  // Loaded when the configuration has been found right.
  const { startApi } = await import('./api.js');
  const api = await startApi(services, config, logger);
  logger.info({ url: api.url }, 'api ready');
  return { stop: () => api.close() };
});
