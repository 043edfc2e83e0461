import { setTimeout } from 'node:timers/promises';
import { eventInLog, type LogPage, type Position, type ReadLog } from '#kernel';
import { isPassing, mapped, pauseAfter } from './failures.js';
import type { Reader } from './reader.js';
import type { Seen } from './recorded.js';
import { eventsOf } from './requests.js';
import { Subscriber, type Tail } from './tail.js';

/**
 * Reads pages up to the end, then what the tail of the process has seen. It reads pages
 * again after a lost connection, and when it was too slow for what arrives.
 *
 * Pages are read after joining and before arrivals are taken. An event that is appended in between is in the pages, among
 * the arrivals, or in both; events that were yielded are skipped. The subscription starts at no given position, because
 * the server may have removed the event there.
 */
export async function* follow(
  { tail, reader }: { readonly tail: Tail; readonly reader: Reader },
  options: ReadLog,
  over: AbortSignal,
): AsyncGenerator<LogPage, void, void> {
  let { after } = options;
  let failures = 0;

  async function* pages(): AsyncGenerator<LogPage, void, void> {
    for (let atEnd = false; !atEnd && !over.aborted; ) {
      const page = await reader.log({ ...options, after }, over);
      if (over.aborted) return;
      if (page.reached > after) {
        after = page.reached;
        yield page;
      }
      atEnd = page.atEnd;
    }
  }

  async function* arriving(): AsyncGenerator<LogPage, void, void> {
    const subscriber = new Subscriber();
    try {
      await tail.join(subscriber, over);
      yield* pages();
      while (!over.aborted) {
        const arrivals = await subscriber.take(options.limit ?? 1_000, over);
        if (arrivals === undefined) return;
        const page = pageOf(arrivals, options, after);
        if (page.reached <= after) continue;
        after = page.reached;
        failures = 0;
        yield page;
      }
    } finally {
      tail.leave(subscriber);
    }
  }

  while (!over.aborted) {
    try {
      yield* pages();
      if (!over.aborted) yield* arriving();
    } catch (error) {
      // An error after all retries, or one that retries do not help, goes to the follower.
      if (over.aborted) return;
      if (!isPassing(error)) throw mapped(error);
      await setTimeout(pauseAfter(failures++), undefined, { signal: over }).catch(() => {});
    }
  }
}

const pageOf = (arrivals: readonly Seen[], filter: ReadLog, after: Position): LogPage => {
  const later = arrivals.filter(({ position }) => position > after);
  const { position: reached = after, event: last } = later.at(-1) ?? {};
  return { events: eventsOf(later, filter), reached, atEnd: true, ...(last && { last: eventInLog(last) }) };
};
