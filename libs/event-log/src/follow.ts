import type { EventLog, LogPage, ReadLog } from '#kernel';
import type { FollowerNotifier } from './follower-notifier.js';

interface Followed extends Pick<EventLog, 'readLog'> {
  /** The same from memory, if this process made the latest appends; appends of other processes are not in memory. */
  known?(options: ReadLog): LogPage | undefined;
}

/** Yields pages up to the end, then waits for a notification. A page that does not advance is not yielded. */
export async function* follow(
  log: Followed,
  notifier: FollowerNotifier,
  { signal, ...options }: ReadLog & { readonly signal: AbortSignal },
): AsyncGenerator<LogPage, void, void> {
  const over = () => signal.aborted || notifier.closed;
  let after = options.after;
  /** Number of foreign notifications at the last read of the log. */
  let foreign: number | undefined;
  while (!over()) {
    const seen = notifier.notifications;
    // A page from memory does not show foreign appends: after a foreign notification the log has to be read.
    const known = foreign === notifier.foreignNotifications ? log.known?.({ ...options, after }) : undefined;
    if (known === undefined) foreign = notifier.foreignNotifications;
    const page = await (known ?? readUnlessOver(log, { ...options, after }, over));
    if (page === undefined || over()) return;
    if (page.reached > after) {
      after = page.reached;
      yield page;
    }
    if (page.atEnd) await notifier.wait(seen, signal);
  }
}

async function readUnlessOver(log: Followed, options: ReadLog, over: () => boolean) {
  try {
    return await log.readLog(options);
  } catch (error) {
    // If the log is closed during a read, its followers end without an error.
    if (over()) return undefined;
    throw error;
  }
}
