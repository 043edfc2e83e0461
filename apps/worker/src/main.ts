import { run } from '../../composition/src/index.js';
import { yieldToRequests } from './yield-to-requests.js';

yieldToRequests();

await run(async (services, _config, logger) => {
  // Loaded when the configuration has been found right.
  const { startWorker } = await import('./start-worker.js');
  const worker = await startWorker(services, logger);
  logger.info({}, 'worker ready');
  return worker;
});
