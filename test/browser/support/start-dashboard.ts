import { afterAll } from '@jest/globals';
import { Dashboard } from './dashboard.js';
import { closeBrowser } from './visitor.js';

/** A dashboard for the tests of a spec. */
export const startDashboard = async (...options: Parameters<typeof Dashboard.start>): Promise<Dashboard> => {
  const dashboard = await Dashboard.start(...options);
  afterAll(async () => {
    await closeBrowser();
    await dashboard.stop();
  });
  return dashboard;
};

/** The same with the demo agency bound. */
export const startBoundDashboard = async (...options: Parameters<typeof Dashboard.start>): Promise<Dashboard> => {
  const dashboard = await startDashboard(...options);
  await dashboard.bindAgency();
  return dashboard;
};
