import type { INestApplicationContext } from '@nestjs/common';
import { LiveChanges } from '../../apps/dashboard/src/live/live-changes.js';

/** What each beat does, every 15 seconds. */
export const checkLiveConnections = (app: INestApplicationContext): Promise<void> =>
  app.get(LiveChanges, { strict: false }).check();
