import { type DestinationStream, type LoggerOptions, pino, stdTimeFunctions } from 'pino';
import type { Logger } from '#kernel';
import { StandardError } from './standard-error.js';

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>;

const WARNING = 40;

/** All loggers of a process share one destination. */
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
