import { type DestinationStream, pino } from 'pino';
import type { Logger } from '#kernel';

export type AppLogger = Logger & { readonly child: (bindings: object) => AppLogger };

/** One JSON line a message on standard error: standard output belongs to what commands print. */
export const createLogger = (
  level: string,
  destination: DestinationStream = pino.destination({ fd: 2, sync: false }),
): AppLogger => pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
