import { type DestinationStream, type LoggerOptions, pino } from 'pino';
import type { Logger } from '#kernel';

export type AppLogger = Logger & { readonly child: (bindings: object) => AppLogger };

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>;

/** Lines are written together, in one call for many requests, at the latest after so many milliseconds. */
const WRITTEN_EVERY = 100;
const BUFFER = 16_000;
const WARNING = 40;

/** On standard error; what waits is written also when the process ends by an exception or `process.exit`. */
const standardError = () => pino.destination({ fd: 2, sync: false, minLength: BUFFER, periodicFlush: WRITTEN_EVERY });

/** One JSON line a message on standard error: standard output belongs to what commands print. */
export const createLogger = (level: string, destination: DestinationStream = standardError()): AppLogger =>
  pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, hooks: { logMethod: atOnceIfSevere } },
    destination,
  );

/** A warning waits for nobody: nothing that comes after it may keep it from being read. */
const atOnceIfSevere: LogMethod = function (args, method, level) {
  method.apply(this, args);
  if (level >= WARNING) this.flush();
};
