import { setImmediate } from 'node:timers/promises';
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
import { decryptPersonal, type EncryptedPersonal, encryptedPersonalOf, encryptPersonal } from './encrypted-personal.js';
import type { KeyRing } from './key-ring.js';

/** Decrypting this much takes some 10 ms, one turn of the event loop. */
const TURN_BYTES = 1024 * 1024;

/** The layers below (hash chain, store, copy) see only the encrypted form: destroying a key changes no byte there. */
export const withEncryptedPersonalData = (
  log: EventLog,
  ring: KeyRing,
  /** Categories of streams that record facts about an erased creator, without its texts. */
  recordsShapes?: ReadonlySet<string>,
): EventLog => {
  /** D71: a second key, made after the first was lost, would divide the creator's data between the two. */
  const requireNoKeyLost = async (creatorIds: readonly CreatorId[]): Promise<void> => {
    for (const creatorId of creatorIds) {
      const [first] = await log.readStream(streamName('creator', creatorId), { limit: 1 });
      if (first !== undefined && encryptedPersonalOf(first.data) !== undefined) {
        throw new PersonalDataUnreadable(`the key of ${creatorId} is missing: restore it from a backup`);
      }
    }
  };

  const encrypted = async (stream: StreamName, events: readonly EventToAppend[]): Promise<readonly EventToAppend[]> => {
    const creators = new Set<CreatorId>();
    for (const { data } of events) if ('personal' in data) creators.add(creatorOf(stream, data));
    // A creator's first event is in the roster: before it there is no encrypted data, and so no lost key.
    const keys = await ring.keysFor(creators, categoryOf(stream) === 'roster' ? undefined : requireNoKeyLost);
    return events.map((event) => {
      const { data } = event;
      if (!('personal' in data)) return event;
      const creatorId = creatorOf(stream, data);
      const key = keys.get(creatorId) ?? null;
      // D72: nothing more is recorded about an erased creator, except in the feed, which publishes earlier events.
      if (key === null && recordsShapes?.has(categoryOf(stream)) !== true) throw new PersonalDataErased(creatorId);
      // D71: a decision that could not read the texts must not record stand-ins in their place.
      if (key !== null && holdsEncrypted(data.personal)) {
        throw new PersonalDataUnreadable(
          `${stream} was not written: personal data of ${creatorId} cannot be decrypted`,
        );
      }
      const personal = encryptPersonal(data.personal as JsonValue, creatorId, key, contextOf(stream, event));
      return { ...event, data: { ...data, personal } };
    });
  };

  const decrypted = (events: readonly RecordedEvent[]) => decryptedWith(ring, events);
  const decryptedPage = async (page: LogPage): Promise<LogPage> => ({ ...page, events: await decrypted(page.events) });

  const underWay = new Set<Promise<unknown>>();

  return {
    append: (stream, expected, events) => {
      // The log refuses an event without data.
      if (!events.some(({ data }) => data !== undefined && 'personal' in data))
        return log.append(stream, expected, events);
      const appending = encrypted(stream, events).then((records) => log.append(stream, expected, records));
      underWay.add(appending);
      const settled = () => underWay.delete(appending);
      appending.then(settled, settled);
      return appending;
    },
    changesSince: (after) => log.changesSince?.(after),
    tail: log.tail,
    readStream: async (stream, options) => decrypted(await log.readStream(stream, options)),
    readLog: async (options) => decryptedPage(await log.readLog(options)),
    async *follow(options) {
      for await (const page of log.follow(options)) yield decryptedPage(page);
    },
    head: () => log.head(),
    close: async () => {
      await Promise.allSettled(underWay);
      await log.close();
    },
  };
};

const decryptedWith = async (ring: KeyRing, events: readonly RecordedEvent[]): Promise<RecordedEvent[]> => {
  const members = events.map(({ data }) => encryptedPersonalOf(data));
  const creators = new Set<CreatorId>();
  for (const member of members) if (member !== undefined) creators.add(member.encryptedFor);
  if (creators.size === 0) return [...events];
  const keys = await ring.keysOf(creators);
  const readable: RecordedEvent[] = [];
  let bytes = 0;
  for (const [index, event] of events.entries()) {
    const member = members[index];
    if (bytes >= TURN_BYTES) {
      bytes = 0;
      await setImmediate();
    }
    bytes += member?.ciphertext?.length ?? 0;
    readable.push(member === undefined ? event : withDecrypted(event, member, keys.get(member.encryptedFor)));
  }
  return readable;
};

const withDecrypted = (
  event: RecordedEvent,
  member: EncryptedPersonal,
  key: Buffer | null | undefined,
): RecordedEvent => {
  const personal = decryptPersonal(member, key, contextOf(event.stream, event));
  return { ...event, data: { ...event.data, personal } };
};

/** Binds an encrypted member to its event: moved to another event it cannot be decrypted. */
const contextOf = (stream: StreamName, { id }: { readonly id: string }): string => `${stream}/${id}`;

const creatorOf = (stream: StreamName, data: object): CreatorId => {
  const named = 'creatorId' in data && typeof data.creatorId === 'string' ? data.creatorId : streamId(stream);
  const creatorId = parseId('creator', named);
  if (creatorId === undefined) throw new Error(`an event of ${stream} has personal data but names no creator`);
  return creatorId;
};

/** The creator's personal data was destroyed, so none is recorded again (D72). */
export class PersonalDataErased extends DomainError {
  constructor(creatorId: CreatorId) {
    super('not_found', { cause: new Error(`the personal data of ${creatorId} was erased`) });
    this.name = 'PersonalDataErased';
  }
}
