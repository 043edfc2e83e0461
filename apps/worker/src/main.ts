import { run } from '../../service/src/run.js';
import { yieldToRequests } from './yield-to-requests.js';

yieldToRequests();

await run(async ({ service, logger }) => {
  // Loaded after the configuration was found valid.
  const { startWorker } = await import('./start-worker.js');
  const worker = await startWorker(service);
  logger.info({}, 'worker ready');
  return worker;
});
