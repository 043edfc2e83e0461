import { constants, openSync, writeSync } from 'node:fs';
import { type DestinationStream, type LoggerOptions, pino, stdTimeFunctions } from 'pino';
import type { Logger } from '#kernel';
import { codeOf } from '#kernel/ports';

/** Lines of many requests are written together, in one call, after at most this many milliseconds. */
const FLUSH_INTERVAL = 100;
const FLUSH_LENGTH = 32_768;
/** Bytes of lines that wait for a slow reader. Further lines are dropped. */
const MAX_WAITING_BYTES = 1_048_576;

/** Writes bytes to a file descriptor, and returns how many were written. Throws what the system says. */
type Write = (bytes: Buffer) => number;

/**
 * The log's destination: standard error, written in large pieces and never waited for (D94). What its reader or its disk
 * does not take is dropped and counted, as a service that stops because of its log helps nobody. The rest is written
 * when the process ends, also by an exception or `process.exit`.
 */
export class StandardError implements DestinationStream {
  dropped = 0;
  private lines: string[] = [];
  private length = 0;
  /** Bytes that the reader has not taken; they may begin within a line. */
  private waiting: Buffer = Buffer.alloc(0);
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly take: Write = writeToStandardError()) {
    process.once('exit', () => this.flush());
  }

  write(line: string): void {
    this.lines.push(line);
    this.length += line.length;
    if (this.length >= FLUSH_LENGTH) this.flush();
    else this.flushLater();
  }

  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.moveLines();
    try {
      while (this.waiting.length > 0) this.waiting = this.waiting.subarray(this.take(this.waiting));
    } catch (error) {
      if (codeOf(error) === 'EAGAIN') {
        this.flushLater();
        return;
      }
      this.dropped += countLines(this.waiting);
      this.waiting = Buffer.alloc(0);
    }
  }

  private moveLines(): void {
    const { lines } = this;
    if (lines.length === 0) return;
    this.lines = [];
    this.length = 0;
    if (this.waiting.length > MAX_WAITING_BYTES) this.dropped += lines.length;
    else this.waiting = Buffer.concat([this.waiting, Buffer.from(lines.join(''))]);
  }

  private flushLater(): void {
    this.timer ??= setTimeout(() => this.flush(), FLUSH_INTERVAL).unref();
  }
}

/** A descriptor whose writes fail with `EAGAIN` where they would have to wait for a reader. */
const writeToStandardError = (): Write => {
  // Making this stream makes a pipe or socket non-blocking; a terminal is opened again, as other programs write to it.
  const descriptor = process.stderr.isTTY ? openTerminal() : 2;
  return (bytes) => writeSync(descriptor, bytes);
};

const openTerminal = (): number => {
  const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;
  try {
    return openSync('/proc/self/fd/2', O_WRONLY | O_NONBLOCK | O_NOCTTY);
  } catch {
    return 2;
  }
};

const countLines = (bytes: Buffer): number => {
  let lines = 0;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) lines++;
  return lines;
};

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>;

const WARNING = 40;

let standardError: StandardError | undefined;

const ownStandardError = (): StandardError => {
  standardError ??= new StandardError();
  return standardError;
};

/** Lines of this process's log that could not be written (D94). */
export const droppedLogLines = (): number => standardError?.dropped ?? 0;

/** One JSON line for each message on standard error, because standard output is for the output of commands. */
export const createLogger = (level: string, destination: DestinationStream = ownStandardError()): Logger =>
  pino({ level, base: null, timestamp: stdTimeFunctions.isoTime, hooks: { logMethod: atOnceIfSevere } }, destination);

/** A warning is written immediately, because the process may end before the buffer is written. */
const atOnceIfSevere: LogMethod = function (args, method, level) {
  method.apply(this, args);
  if (level >= WARNING) this.flush();
};
