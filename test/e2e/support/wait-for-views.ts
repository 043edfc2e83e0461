import { TIMEOUT_FACTOR } from '#testing';
import type { Services } from '../../support/open-service.js';

/** Longer than any machine keeps a view behind, where only time is short. */
const TIMEOUT = 15_000 * TIMEOUT_FACTOR;

/** Answers wait for the views however slow the machine is: what is shown then depends on what was done alone. */
export const waitForViews = ({ progress }: Services): void => {
  const waitForPosition = progress.waitForPosition.bind(progress);
  progress.waitForPosition = (runners, position, timeout, _stalledAfter, signal) =>
    waitForPosition(runners, position, Math.max(timeout, TIMEOUT), undefined, signal);
};
