import { run } from '../../composition/src/index.js';
import { startApi } from './api.js';

await run(async (services, config, logger) => {
  const api = await startApi(services, config, logger);
  logger.info({ url: api.url }, 'api ready');
  return { stop: () => api.close() };
});
