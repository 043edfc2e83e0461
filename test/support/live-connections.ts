import type { INestApplicationContext } from '@nestjs/common';
import { LiveChanges } from '../../apps/dashboard/src/live/live-changes.js';

/** Runs the check of one heartbeat, which comes every 15 seconds. */
export const checkLiveConnections = (app: INestApplicationContext): Promise<void> =>
  app.get(LiveChanges, { strict: false }).check();
