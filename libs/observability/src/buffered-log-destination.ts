import { type DestinationStream, pino } from 'pino';

/** Lines are written together, in one call for many requests, at the latest after so many milliseconds. */
const WRITTEN_EVERY = 100;
const AT_ONCE = 32_768;

/**
 * Standard error, in large pieces; what waits is written also when the process ends by an exception or `process.exit`.
 * Gathered here and not by the destination, which would look through all that waits for each line anew.
 */
export class BufferedLogDestination implements DestinationStream {
  private waiting = '';
  private timer: NodeJS.Timeout | undefined;
  private readonly destination = pino.destination({ fd: 2, sync: false });

  constructor() {
    process.once('exit', () => {
      this.flush();
      this.destination.flushSync();
    });
  }

  write(line: string): void {
    this.waiting += line;
    if (this.waiting.length >= AT_ONCE) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), WRITTEN_EVERY).unref();
  }

  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.waiting === '') return;
    this.destination.write(this.waiting);
    this.waiting = '';
  }
}
