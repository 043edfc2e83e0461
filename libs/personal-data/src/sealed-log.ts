import {
  type CreatorId,
  type EventLog,
  type EventToAppend,
  type JsonValue,
  type LogPage,
  parseId,
  type RecordedEvent,
  type StreamName,
  streamId,
} from '#kernel';
import type { KeyRing } from './key-ring.js';
import { isSealed, openPersonal, sealPersonal } from './sealed-personal.js';

/**
 * A log that keeps the `personal` member of each event's data sealed under its creator's key, and gives it back open. What
 * lies beneath (the hash chain, a store, a copy) only ever has the sealed form, so that destroying a key changes no byte.
 */
export const withSealedPersonalData = (log: EventLog, ring: KeyRing): EventLog => {
  const sealed = async (stream: StreamName, events: readonly EventToAppend[]): Promise<readonly EventToAppend[]> => {
    const creators = new Set<CreatorId>();
    for (const { data } of events) if ('personal' in data) creators.add(creatorOf(stream, data));
    const keys = await ring.keysFor(creators);
    return events.map((event) => {
      const { data } = event;
      if (!('personal' in data)) return event;
      const creatorId = creatorOf(stream, data);
      const key = keys.get(creatorId) ?? null;
      const personal = sealPersonal(data.personal as JsonValue, creatorId, key, contextOf(stream, event));
      return { ...event, data: { ...data, personal } };
    });
  };

  const opened = async (events: readonly RecordedEvent[]): Promise<RecordedEvent[]> => {
    const creators = new Set<CreatorId>();
    for (const { data } of events)
      if ('personal' in data && isSealed(data.personal)) creators.add(data.personal.sealedFor);
    if (creators.size === 0) return [...events];
    const keys = await ring.keysOf(creators);
    return events.map((event) => {
      const { data } = event;
      if (!('personal' in data) || !isSealed(data.personal)) return event;
      const personal = openPersonal(data.personal, keys.get(data.personal.sealedFor), contextOf(event.stream, event));
      return { ...event, data: { ...data, personal } };
    });
  };
  const openedPage = async (page: LogPage): Promise<LogPage> => ({ ...page, events: await opened(page.events) });

  const underWay = new Set<Promise<unknown>>();

  return {
    append: (stream, expected, events) => {
      if (!events.some(({ data }) => 'personal' in data)) return log.append(stream, expected, events);
      const appending = sealed(stream, events).then((records) => log.append(stream, expected, records));
      underWay.add(appending);
      const settled = () => underWay.delete(appending);
      appending.then(settled, settled);
      return appending;
    },
    isAt: (stream, revision) => log.isAt?.(stream, revision) ?? false,
    readStream: async (stream, options) => opened(await log.readStream(stream, options)),
    readLog: async (options) => openedPage(await log.readLog(options)),
    async *follow(options) {
      for await (const page of log.follow(options)) yield openedPage(page);
    },
    head: () => log.head(),
    close: async () => {
      await Promise.allSettled(underWay);
      await log.close();
    },
  };
};

/** Binds a sealed member to its place: moved to another event it does not open. */
const contextOf = (stream: StreamName, { id }: { readonly id: string }): string => `${stream}/${id}`;

/** Whose personal data it is: the event says so, or it stands in the creator's own stream. */
const creatorOf = (stream: StreamName, data: object): CreatorId => {
  const named = 'creatorId' in data && typeof data.creatorId === 'string' ? data.creatorId : streamId(stream);
  const creatorId = parseId('creator', named);
  if (creatorId === undefined) throw new Error(`${stream}: personal data of nobody`);
  return creatorId;
};
