import {
  type CreatorId,
  categoryOf,
  DomainError,
  type EventLog,
  type EventToAppend,
  holdsEncrypted,
  type JsonValue,
  type LogPage,
  PersonalDataUnreadable,
  parseId,
  type RecordedEvent,
  type StreamName,
  streamId,
  streamName,
} from '#kernel';
import type { KeyRing } from './key-ring.js';
import { isSealed, openPersonal, sealPersonal } from './sealed-personal.js';

/**
 * A log that keeps the `personal` member of each event's data sealed under its creator's key, and gives it back open. What
 * lies beneath (the hash chain, a store, a copy) only ever has the sealed form, so that destroying a key changes no byte.
 */
export const withSealedPersonalData = (
  log: EventLog,
  ring: KeyRing,
  /** Categories of streams that record of an erased creator that something happened, without its texts. */
  recordsShapes: ReadonlySet<string> = new Set(),
): EventLog => {
  /** D71: a second key beside one that is lost would divide the creator's data between the two. */
  const requireNoKeyLost = async (creatorIds: readonly CreatorId[]): Promise<void> => {
    for (const creatorId of creatorIds) {
      const [first] = await log.readStream(streamName('creator', creatorId), { limit: 1 });
      if (first !== undefined && 'personal' in first.data && isSealed(first.data.personal)) {
        throw new PersonalDataUnreadable(`the key of ${creatorId} is missing: restore it from a backup`);
      }
    }
  };

  const sealed = async (stream: StreamName, events: readonly EventToAppend[]): Promise<readonly EventToAppend[]> => {
    const creators = new Set<CreatorId>();
    for (const { data } of events) if ('personal' in data) creators.add(creatorOf(stream, data));
    // A creator's data begins in the roster; there is nothing to look for before that.
    const keys = await ring.keysFor(creators, categoryOf(stream) === 'roster' ? undefined : requireNoKeyLost);
    return events.map((event) => {
      const { data } = event;
      if (!('personal' in data)) return event;
      const creatorId = creatorOf(stream, data);
      const key = keys.get(creatorId) ?? null;
      // D72: nothing more is recorded of an erased creator; only the feed goes on over what it has still to tell.
      if (key === null && !recordsShapes.has(categoryOf(stream))) throw new PersonalDataErased(creatorId);
      // D71: a decision about texts that it could not read must not become the record of them.
      if (key !== null && holdsEncrypted(data.personal)) {
        throw new PersonalDataUnreadable(
          `${stream} was not written: personal data of ${creatorId} cannot be decrypted`,
        );
      }
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

/** The personal data of the creator was destroyed: none is recorded again (D72). */
export class PersonalDataErased extends DomainError {
  constructor(creatorId: CreatorId) {
    super('not_found', { cause: new Error(`the personal data of ${creatorId} was erased`) });
    this.name = 'PersonalDataErased';
  }
}
