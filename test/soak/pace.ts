import { setTimeout as delay } from 'node:timers/promises';
import type { Instant } from '#kernel';
import type { Random } from '../crash/support/random.js';

/** In milliseconds. */
const TURN = 30_000;

/** The member at the dashboard reads in every second turn, so that one run shows the others with and without it (D109). */
export const memberReads = (now: Instant): boolean => Math.floor(now / TURN) % 2 === 1;

/** The second half of a turn without it: its reads, which last up to 17 s at ten times the limit, have ended. */
export const memberRests = (now: Instant): boolean => !memberReads(now) && now % TURN >= TURN / 2;

/**
 * Begins `perMinute` tasks a minute at random moments until the signal comes, regardless of how earlier ones end.
 * Returns when all have ended. Skips a task if `maxUnderWay` have not ended yet.
 */
export const atRandomMoments = async (
  perMinute: number,
  random: Random,
  until: AbortSignal,
  begin: () => Promise<unknown>,
  maxUnderWay = Number.POSITIVE_INFINITY,
): Promise<void> => {
  const underWay = new Set<Promise<unknown>>();
  const began = performance.now();
  for (let at = 0; !until.aborted; ) {
    at += (-Math.log(1 - random.next()) * 60_000) / perMinute;
    const wait = began + at - performance.now();
    if (wait > 1) await delay(wait, undefined, { signal: until }).catch(() => undefined);
    if (until.aborted) break;
    if (underWay.size >= maxUnderWay) continue;
    const task = begin().finally(() => underWay.delete(task));
    underWay.add(task);
  }
  await Promise.all(underWay);
};
