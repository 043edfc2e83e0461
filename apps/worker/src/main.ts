import { constants, getPriority, setPriority } from 'node:os';
import { run } from '../../service/src/run.js';

// Background work yields to requests on the same machine, also in threads that start later. A lower priority that an
// operator has set is kept, because raising it needs privileges.
const { PRIORITY_BELOW_NORMAL } = constants.priority;
if (getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL);

await run(async ({ service, logger }) => {
  // Loaded after the configuration was found valid.
  const { startWorker } = await import('./worker.js');
  const worker = await startWorker(service);
  logger.info({}, 'worker ready');
  return worker;
});
