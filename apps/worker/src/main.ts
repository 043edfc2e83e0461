import { run } from '../../composition/src/index.js';
import { Worker } from './worker.js';

await run(async (services, _config, logger) => {
  const worker = new Worker(services, logger);
  worker.start();
  logger.info({}, 'worker ready');
  return worker;
});
