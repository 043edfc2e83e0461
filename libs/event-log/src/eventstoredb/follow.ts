import { setTimeout } from 'node:timers/promises';
import type streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Duration, LogPage, Position, ReadLog, RecordedEvent } from '#kernel';
import type { Connection } from './connection.js';
import { isPassing, mapped, patiently, pauseAfter } from './failures.js';
import type { Reader } from './reader.js';
import { positionOf, seen } from './recorded.js';
import { matches, subscriptionRequest } from './requests.js';
import { Subscription } from './subscription.js';

/**
 * Reads pages up to the end, then listens to a subscription from the end on, and reads pages again: after a connection
 * was lost, and when the server says that its reader has fallen behind.
 *
 * A page is read between subscribing and listening. What was appended in between is on it, or comes, or both; what has
 * been seen is not shown again. No position is asked of the subscription itself, so that none need exist any longer.
 */
export async function* follow(
  { connection, reader, patience }: { connection: Connection; reader: Reader; patience: Duration },
  options: ReadLog,
  over: AbortSignal,
): AsyncGenerator<LogPage, void, void> {
  let { after } = options;
  let failures = 0;
  const request = subscriptionRequest(options);

  /** To the end, as it was when it was reached. */
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

  async function* coming(): AsyncGenerator<LogPage, void, void> {
    const subscription = await patiently(() => Subscription.open(connection, request, over), patience, over);
    try {
      yield* pages();
      for (let fellBehind = false; !fellBehind && !over.aborted; ) {
        const messages = await subscription.next(options.limit ?? 1_000, over);
        fellBehind = messages.some((message) => message.hasFellBehind());
        const page = pageOf(messages, options, after);
        if (page.reached <= after || over.aborted) continue;
        after = page.reached;
        failures = 0;
        yield page;
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
      // What its own patience has given up, and what no patience helps, is the follower's to know.
      if (over.aborted) return;
      if (!isPassing(error)) throw mapped(error);
      await setTimeout(pauseAfter(failures++), undefined, { signal: over }).catch(() => {});
    }
  }
}

function pageOf(messages: readonly streams.ReadResp[], filter: ReadLog, after: Position): LogPage {
  const events: RecordedEvent[] = [];
  let reached = after;
  for (const message of messages) {
    const checkpoint = message.getCheckpoint();
    const one = seen(message);
    const position = one?.position ?? (checkpoint ? positionOf(checkpoint.getCommitPosition()) : reached);
    if (position <= reached) continue;
    reached = position;
    if (one?.event && matches(filter, one.event)) events.push(one.event);
  }
  return { events, reached, atEnd: true };
}
