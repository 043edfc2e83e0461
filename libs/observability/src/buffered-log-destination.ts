import { type DestinationStream, pino } from 'pino';

/** Lines of many requests are written together, in one call, after at most this many milliseconds. */
const FLUSH_INTERVAL = 100;
const FLUSH_LENGTH = 32_768;

/**
 * Standard error, written in large pieces. The rest is written when the process ends, also by an exception or
 * `process.exit`. The lines are buffered here because pino's destination scans its whole buffer for each new line.
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
    if (this.waiting.length >= FLUSH_LENGTH) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), FLUSH_INTERVAL).unref();
  }

  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.waiting === '') return;
    this.destination.write(this.waiting);
    this.waiting = '';
  }
}
