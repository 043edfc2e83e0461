import { readConfig } from '#configuration';
import { STORED_EVENTS } from '#contexts';
import { systemClock } from '#kernel';
import { type KeyNeed, openStores } from '#stores';
import { createServices, type Services } from '../../composition/src/services.js';

/** Runs the task with the services over the configured stores. */
export const withServices = async (
  environment: NodeJS.ProcessEnv,
  need: KeyNeed,
  task: (services: Services) => Promise<void>,
): Promise<void> => {
  const config = readConfig(environment);
  const services = await createServices(config, await openStores(config, STORED_EVENTS, need), systemClock);
  try {
    await task(services);
  } finally {
    await services.close();
  }
};
