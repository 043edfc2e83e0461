import type { EventLog, LogPage, ReadLog } from '#kernel';
import type { WakeUps } from './wake-ups.js';

/** Pages as long as there are any, then sleeps until woken; a page that got no further is not worth a yield. */
export async function* follow(
  log: Pick<EventLog, 'readLog'>,
  wakeUps: WakeUps,
  { signal, ...options }: ReadLog & { readonly signal: AbortSignal },
): AsyncGenerator<LogPage, void, void> {
  const over = () => signal.aborted || wakeUps.closed;
  let after = options.after;
  while (!over()) {
    const heard = wakeUps.count;
    const page = await readUnlessOver(log, { ...options, after }, over);
    if (page === undefined || over()) return;
    if (page.reached > after) {
      after = page.reached;
      yield page;
    }
    if (page.atEnd) await wakeUps.since(heard, signal);
  }
}

async function readUnlessOver(log: Pick<EventLog, 'readLog'>, options: ReadLog, over: () => boolean) {
  try {
    return await log.readLog(options);
  } catch (error) {
    // Closing the log in the middle of a read ends its followers, it does not fail them.
    if (over()) return undefined;
    throw error;
  }
}
