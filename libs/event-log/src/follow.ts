import type { EventLog, LogPage, ReadLog } from '#kernel';
import type { FollowerNotifier } from './follower-notifier.js';

/** Yields pages up to the end, then waits for a notification. A page that does not advance is not yielded. */
export async function* follow(
  log: Pick<EventLog, 'readLog'>,
  notifier: FollowerNotifier,
  { signal, ...options }: ReadLog & { readonly signal: AbortSignal },
): AsyncGenerator<LogPage, void, void> {
  const over = () => signal.aborted || notifier.closed;
  let after = options.after;
  while (!over()) {
    const seen = notifier.notifications;
    const page = await readUnlessOver(log, { ...options, after }, over);
    if (page === undefined || over()) return;
    if (page.reached > after) {
      after = page.reached;
      yield page;
    }
    if (page.atEnd) await notifier.wait(seen, signal);
  }
}

async function readUnlessOver(log: Pick<EventLog, 'readLog'>, options: ReadLog, over: () => boolean) {
  try {
    return await log.readLog(options);
  } catch (error) {
    // If the log is closed during a read, its followers end without an error.
    if (over()) return undefined;
    throw error;
  }
}
