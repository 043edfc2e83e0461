import { setTimeout as delay } from 'node:timers/promises';
import { type Duration, type EventLog, type Progress, SECOND } from '#kernel';
import { BulkPace } from './bulk-pace.js';

/** Publisher and webhook scheduling append events too, one after the other; each round waits for the latest of them. */
const ROUNDS = 3;
const ROUND_TIMEOUT: Duration = 5 * SECOND;
/** A runner that has not advanced for this long is not waited for: a page of the roster takes seconds without a worker. */
const STALLED_AFTER: Duration = SECOND;
/** The longest rest after a part, and the rest where a runner is behind: its backlog stays short. */
const MAX_REST: Duration = 250;

/** Pauses for as long as the runners took for the last batch, so that other work gets half of the time. */
export const bulkPaceBehind = (runners: readonly string[], log: EventLog, progress: Progress): BulkPace =>
  new BulkPace(async () => {
    const began = performance.now();
    let isPassed = true;
    for (let round = 0; isPassed && round < ROUNDS; round++) {
      isPassed = await progress.passed(runners, await log.head(), ROUND_TIMEOUT, STALLED_AFTER);
    }
    const rest = isPassed ? Math.min(performance.now() - began, MAX_REST) : MAX_REST;
    await delay(rest, undefined, { ref: false });
  });
