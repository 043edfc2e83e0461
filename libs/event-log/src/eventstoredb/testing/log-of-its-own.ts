import {
  type EventLog,
  type LogFilter,
  type LogPage,
  type Position,
  type RecordedEvent,
  type StreamName,
  WrongExpectedRevision,
} from '#kernel';

/**
 * A view of a log that looks empty, on a server that keeps the events of earlier tests: it begins at their end, and its
 * streams have unique names there. Only for a server to which nobody else writes at the same time.
 */
export function logOfItsOwn(log: EventLog, start: Position, mark: string): EventLog {
  const outer = (stream: StreamName): StreamName => `${mark}${stream}`;
  const inner = (stream: StreamName) => stream.slice(mark.length) as StreamName;
  const shown = (events: readonly RecordedEvent[]): RecordedEvent[] =>
    events.map((event) => ({ ...event, stream: inner(event.stream) }));
  /** Nothing where it would be an event of an earlier test. */
  const shownLast = (last: LogPage['last']) =>
    last === undefined || last.position <= start ? undefined : { ...last, stream: inner(last.stream) };
  const page = ({ events, last, ...rest }: LogPage): LogPage => ({
    ...rest,
    events: shown(events),
    last: shownLast(last),
  });
  const asked = <Options extends LogFilter & { after: Position }>({ after, categories, ...rest }: Options) => ({
    ...rest,
    after: Math.max(after, start),
    ...(categories && { categories: new Set([...categories].map((category) => `${mark}${category}`)) }),
  });
  return {
    append: (stream, expected, events) =>
      log.append(outer(stream), expected, events).catch((error: unknown) => {
        if (!(error instanceof WrongExpectedRevision)) throw error;
        throw new WrongExpectedRevision(inner(error.stream), error.expected, error.actual);
      }),
    readStream: async (stream, options) => shown(await log.readStream(outer(stream), options)),
    readLog: async (options) => page(await log.readLog(asked(options))),
    async *follow({ signal, ...options }) {
      for await (const one of log.follow({ ...asked(options), signal })) yield page(one);
    },
    head: () => log.head(),
    close: () => log.close(),
  };
}
