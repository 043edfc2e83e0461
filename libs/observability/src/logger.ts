import { type DestinationStream, type LoggerOptions, pino } from 'pino';
import type { Logger } from '#kernel';
import { BufferedLogDestination } from './buffered-log-destination.js';

export type AppLogger = Logger & { readonly child: (bindings: object) => AppLogger };

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>;

const WARNING = 40;

let lastMoment = 0;
let lastTime = '';

/** Many lines are of one millisecond. */
const isoTime = (): string => {
  const now = Date.now();
  if (now === lastMoment) return lastTime;
  lastMoment = now;
  lastTime = `,"time":"${new Date(now).toISOString()}"`;
  return lastTime;
};

/** All loggers of a process gather in one place. */
let standardError: BufferedLogDestination | undefined;

const ownStandardError = (): BufferedLogDestination => {
  standardError ??= new BufferedLogDestination();
  return standardError;
};

/** One JSON line a message on standard error: standard output belongs to what commands print. */
export const createLogger = (level: string, destination: DestinationStream = ownStandardError()): AppLogger =>
  pino({ level, base: null, timestamp: isoTime, hooks: { logMethod: atOnceIfSevere } }, destination);

/** A warning waits for nobody: nothing that comes after it may keep it from being read. */
const atOnceIfSevere: LogMethod = function (args, method, level) {
  method.apply(this, args);
  if (level >= WARNING) this.flush();
};
