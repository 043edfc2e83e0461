import { setTimeout } from 'node:timers/promises';
import type streams from '@eventstore/db-client/generated/streams_pb.js';
import {
  type Duration,
  type EventInLog,
  eventInLog,
  type LogPage,
  type Position,
  type ReadLog,
  type RecordedEvent,
  SECOND,
} from '#kernel';
import type { Connection } from './connection.js';
import { isPassing, mapped, pauseAfter, withRetries } from './failures.js';
import type { Reader } from './reader.js';
import { positionOf, seen } from './recorded.js';
import { matches, subscriptionRequest } from './requests.js';
import { Subscription } from './subscription.js';

/** How often the last event of a page is read if the page does not have it: a read for each page would cost too much. */
const NAMING_INTERVAL: Duration = SECOND;

/**
 * Reads pages up to the end, then a subscription that starts at the end. It reads pages again after a lost connection,
 * and when the server reports that the subscription has fallen behind.
 *
 * Pages are read after subscribing and before the subscription is read. An event that is appended in between is in the
 * pages, in the subscription, or in both; events that were yielded are skipped. The subscription starts at no given
 * position, because the server may have removed the event there.
 */
export async function* follow(
  { connection, reader, retryFor }: { connection: Connection; reader: Reader; retryFor: Duration },
  options: ReadLog,
  over: AbortSignal,
): AsyncGenerator<LogPage, void, void> {
  let { after } = options;
  let failures = 0;
  let namedAt = Number.NEGATIVE_INFINITY;
  const request = subscriptionRequest(options);

  /** Up to the end of the log. */
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

  /** The server gives no more than the position of an event that the filter excludes. */
  async function named(position: Position): Promise<EventInLog | undefined> {
    if (performance.now() - namedAt < NAMING_INTERVAL) return undefined;
    const event = await reader.at(position, over);
    if (event !== undefined) namedAt = performance.now();
    return event;
  }

  async function* coming(): AsyncGenerator<LogPage, void, void> {
    const subscription = await withRetries(() => Subscription.open(connection, request, over), retryFor, over);
    try {
      yield* pages();
      for (let fellBehind = false; !fellBehind && !over.aborted; ) {
        const messages = await subscription.next(options.limit ?? 1_000, over);
        fellBehind = messages.some((message) => message.hasFellBehind());
        const page = pageOf(messages, options, after);
        if (page.reached <= after || over.aborted) continue;
        after = page.reached;
        failures = 0;
        const { last = await named(after) } = page;
        yield last === undefined ? page : { ...page, last };
      }
    } finally {
      subscription.close();
    }
  }

  while (!over.aborted) {
    try {
      yield* pages();
      if (!over.aborted) yield* coming();
    } catch (error) {
      // An error after all retries, or one that a retry does not help, goes to the follower.
      if (over.aborted) return;
      if (!isPassing(error)) throw mapped(error);
      await setTimeout(pauseAfter(failures++), undefined, { signal: over }).catch(() => {});
    }
  }
}

function pageOf(messages: readonly streams.ReadResp[], filter: ReadLog, after: Position): LogPage {
  const events: RecordedEvent[] = [];
  let reached = after;
  let last: EventInLog | undefined;
  for (const message of messages) {
    const checkpoint = message.getCheckpoint();
    const one = seen(message);
    const position = one?.position ?? (checkpoint ? positionOf(checkpoint.getCommitPosition()) : reached);
    if (position <= reached) continue;
    reached = position;
    last = one?.event && eventInLog(one.event);
    if (one?.event && matches(filter, one.event)) events.push(one.event);
  }
  return { events, reached, atEnd: true, ...(last && { last }) };
}
