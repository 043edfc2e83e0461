import { afterAll, afterEach } from '@jest/globals';
import { Service, type ServiceOptions } from './service.js';

/** The service of a spec file: its faults are healed after each test, and it is stopped after the last. */
export const startService = async (options?: ServiceOptions): Promise<Service> => {
  const service = await Service.start(options);
  afterEach(() => service.platform.heal());
  afterAll(() => service.stop());
  return service;
};
