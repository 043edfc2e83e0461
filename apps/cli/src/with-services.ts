import { systemClock } from '#kernel';
import { readConfig } from '../../composition/src/config.js';
import { createServices, type Services } from '../../composition/src/services.js';
import { openStores } from '../../composition/src/stores.js';

/** Runs the task with the services over the configured stores. */
export const withServices = async (
  environment: NodeJS.ProcessEnv,
  task: (services: Services) => Promise<void>,
): Promise<void> => {
  const config = readConfig(environment);
  const services = await createServices(config, await openStores(config), systemClock);
  try {
    await task(services);
  } finally {
    await services.close();
  }
};
