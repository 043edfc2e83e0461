import type { EventLog, LogPage, ReadLog } from '#kernel';
import type { WakeUps } from './wake-ups.js';

/** What can be followed. */
interface Followed extends Pick<EventLog, 'readLog'> {
  /** The same where it is known without reading; what others append is not. */
  known?(options: ReadLog): LogPage | undefined;
}

/** Pages as long as there are any, then sleeps until woken; a page that got no further is not worth a yield. */
export async function* follow(
  log: Followed,
  wakeUps: WakeUps,
  { signal, ...options }: ReadLog & { readonly signal: AbortSignal },
): AsyncGenerator<LogPage, void, void> {
  const over = () => signal.aborted || wakeUps.closed;
  let after = options.after;
  /** How often others had been heard when the log was last read. */
  let others: number | undefined;
  while (!over()) {
    const heard = wakeUps.count;
    // Whoever sleeps after a page that was known is woken for others only once: from then on it has to be read.
    const known = others === wakeUps.countOfOthers ? log.known?.({ ...options, after }) : undefined;
    if (known === undefined) others = wakeUps.countOfOthers;
    const page = await (known ?? readUnlessOver(log, { ...options, after }, over));
    if (page === undefined || over()) return;
    if (page.reached > after) {
      after = page.reached;
      yield page;
    }
    if (page.atEnd) await wakeUps.since(heard, signal);
  }
}

async function readUnlessOver(log: Followed, options: ReadLog, over: () => boolean) {
  try {
    return await log.readLog(options);
  } catch (error) {
    // Closing the log in the middle of a read ends its followers, it does not fail them.
    if (over()) return undefined;
    throw error;
  }
}
