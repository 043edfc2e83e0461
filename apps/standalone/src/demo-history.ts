import { DAY, type Duration, HOUR, MINUTE } from '#kernel';
import type { Sandbox } from '../../platform-sandbox/src/index.js';
import type { Setup } from '../../service/src/run.js';
import { liveThrough } from './demo-agency.js';
import type { DemoClock } from './demo-clock.js';
import { DemoPast } from './demo-past.js';

/** It always begins in an earlier month, so that one is complete. */
export const HISTORY = 31 * DAY;

/**
 * Lets the demo agency use the service for a month, so that the dashboard shows what it is for as soon as it is opened. At
 * the end, the clock shows the present.
 */
export const writeHistory = async (setup: Setup, sandbox: Sandbox, clock: DemoClock): Promise<void> => {
  const past = await DemoPast.open(setup, clock);
  await liveThrough(timesOfWork(), past, sandbox);
  await past.reach(0);
  await past.close();
};

/** Once a day at first, and more often on the last one, which people see first. */
const timesOfWork = (): Duration[] => {
  const times: Duration[] = [];
  for (let left = HISTORY - HOUR; left > HOUR; ) {
    times.push(left);
    const pause = left > DAY ? DAY : 12 * HOUR;
    // Nobody works at the same minute every day.
    left -= pause + (((times.length * 37) % 90) - 45) * MINUTE;
  }
  return [...times, 20 * MINUTE];
};
