import type { RecordedEvent } from '../events/event.js';
import type { EventLog, LogFilter, LogPage } from './event-log.js';

export interface Upcaster {
  readonly from: string;
  readonly to: string;
  upcast(data: object): object;
}

/** Upcasters of events that only got another type: old type → new type. */
export const renamedTypes = <Type extends string>(types: Readonly<Record<string, Type>>): readonly Upcaster[] =>
  Object.entries<string>(types).map(([from, to]) => ({ from, to, upcast: (data) => data }));

export const upcasting = (upcasters: readonly Upcaster[]): ((event: RecordedEvent) => RecordedEvent) => {
  const bySource = new Map(upcasters.map((upcaster) => [upcaster.from, upcaster]));
  return (event) => {
    let current = event;
    for (let step = bySource.get(event.type); step !== undefined; step = bySource.get(current.type)) {
      current = { ...current, type: step.to, data: step.upcast(current.data) };
    }
    return current;
  };
};

/** A log whose readers get the newest version of each event. The stored events do not change. */
export const withUpcasters = (log: EventLog, upcasters: readonly Upcaster[]): EventLog => {
  if (upcasters.length === 0) return log;
  const upcast = upcasting(upcasters);
  const upcastPage = (page: LogPage): LogPage => ({ ...page, events: page.events.map(upcast) });

  /** A reader asks for page after page with the same set, and a store recognizes a filter by its set. */
  const widened = new WeakMap<ReadonlySet<string>, ReadonlySet<string>>();

  const widen = <Options extends LogFilter>(options: Options): Options => {
    if (options.types === undefined) return options;
    const types = widened.get(options.types) ?? withOlderTypes(options.types, upcasters);
    widened.set(options.types, types);
    return { ...options, types };
  };

  return {
    append: (stream, expected, events) => log.append(stream, expected, events),
    changesSince: (after) => log.changesSince?.(after),
    tail: log.tail,
    readStream: async (stream, options) => (await log.readStream(stream, options)).map(upcast),
    readLog: async (options) => upcastPage(await log.readLog(widen(options))),
    async *follow(options) {
      for await (const page of log.follow(widen(options))) yield upcastPage(page);
    },
    head: () => log.head(),
    close: () => log.close(),
  };
};

const withOlderTypes = (newest: ReadonlySet<string>, upcasters: readonly Upcaster[]): ReadonlySet<string> => {
  const types = new Set(newest);
  for (let size = -1; size !== types.size; ) {
    size = types.size;
    for (const { from, to } of upcasters) if (types.has(to)) types.add(from);
  }
  return types;
};
