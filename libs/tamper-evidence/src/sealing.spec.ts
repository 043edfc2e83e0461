import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type EventLog,
  type EventToAppend,
  HOUR,
  newEventId,
  type RecordedEvent,
  type StreamName,
  WrongMasterKey,
} from '#kernel';
import { InMemoryEventLog } from '#testing';
import { InterceptedLog } from '../../kernel/src/stores/intercepted-log.fixtures.js';
import { OtherOrigin, openedCheckpoint, originOf } from './checkpoint.js';
import { NO_HASH } from './event-hash.js';
import { withHashChain } from './hash-chain.js';
import { Frontier } from './merkle.js';
import { SEAL_AFTER, SEALS, type Sealed, SealKey, SealPublicKey } from './seal.js';
import { Sealing } from './sealing.js';

const NOW = 1_767_225_600_000;
const key = new SealKey(Buffer.alloc(32, 7));

describe('Sealing', () => {
  let log: EventLog;
  let sealing: Sealing;
  let last: { revision: number };

  beforeEach(() => {
    log = withHashChain(new InMemoryEventLog());
    sealing = new Sealing(log, key, 5);
    last = { revision: -1 };
  });

  afterEach(() => log.close());

  const events = (count: number, at = NOW): EventToAppend[] =>
    Array.from({ length: count }, () => ({
      id: newEventId(),
      type: 'thing.happened.v1',
      data: {},
      metadata: { at, correlationId: 'req_1', causationId: null, actor: 'key:test', workspaceId: null },
    }));
  const append = async (count: number, at?: number) => {
    last = await log.append('thing-1', last.revision === -1 ? 'none' : last.revision, events(count, at));
  };
  const seals = async () => (await log.readStream(SEALS)) as RecordedEvent<Sealed>[];
  const statements = async () => (await seals()).map(({ data }) => data.statement);
  const rootOfFirst = async (count: number) => {
    const frontier = new Frontier();
    const { events } = await log.readLog({ after: 0, limit: count });
    for (const { metadata } of events) frontier.add(metadata.hash ?? NO_HASH);
    return frontier.root();
  };

  it('seals each full batch of events immediately, and the rest after the oldest has waited long enough', async () => {
    await append(12);
    expect(await sealing.runDue(NOW)).toBe(2);
    expect((await statements()).map(({ count }) => count)).toEqual([5, 10]);
    expect(await sealing.runDue(NOW + SEAL_AFTER - 1)).toBe(0);
    expect(await sealing.runDue(NOW + SEAL_AFTER)).toBe(1);
    // The two events that waited, and the two seals.
    expect((await statements()).map(({ count }) => count)).toEqual([5, 10, 14]);
  });

  it('is never later than an hour', () => {
    expect(SEAL_AFTER).toBeLessThan(HOUR);
  });

  it('names the last event, the root of all, the seal before, and the key that has signed it', async () => {
    await append(7);
    await sealing.runDue(NOW + 1);
    await sealing.runDue(NOW + HOUR);
    const [first, second] = await seals();
    const all = (await log.readLog({ after: 0 })).events;
    const { id, stream, revision } = all[4] as RecordedEvent;
    expect(first?.data.statement).toMatchObject({
      count: 5,
      through: { id, stream, revision },
      root: await rootOfFirst(5),
      previous: null,
      at: NOW + 1,
      key: key.publicKey.id,
    });
    expect(second?.data.statement).toMatchObject({ count: 8, root: await rootOfFirst(8), previous: first?.id });
    const signed = `seal.v1\n${JSON.stringify(second?.data.statement)}`;
    expect(SealPublicKey.parse(key.publicKey.text)?.hasSigned(signed, second?.data.signature ?? '')).toBe(true);
    expect(second?.data.prints).toBe(
      all
        .slice(5, 8)
        .map(({ metadata }) => metadata.hash?.slice(0, 4))
        .join(''),
    );
  });

  it('does not seal an event that was changed after it was appended', async () => {
    await append(7);
    const changed = new InterceptedLog(log);
    changed.onReadLog = (page) => ({
      ...page,
      events: page.events.map((event) => (event.revision === 6 ? { ...event, data: { sly: true } } : event)),
    });
    await expect(new Sealing(changed, key, 5).sealAll(NOW)).rejects.toThrow(
      /thing-1, revision 6\) is not what its hash/,
    );
    expect((await statements()).map(({ count }) => count)).toEqual([5]);
  });

  it('makes no seal of an empty log, nor of seals alone', async () => {
    expect(await sealing.runDue(NOW + HOUR)).toBe(0);
    await append(1);
    for (let hours = 1; hours < 50; hours++) await sealing.runDue(NOW + hours * HOUR);
    expect(await seals()).toHaveLength(1);
    expect(sealing.isIdleAt(await log.head())).toBe(true);
    expect(await sealing.sealAll(NOW + 50 * HOUR)).toBe(0);
  });

  it('does not seal its own seals one after the other, however small a seal is', async () => {
    sealing = new Sealing(log, key, 1);
    await append(3);
    for (let n = 0; n < 20; n++) await sealing.runDue(NOW);
    expect((await statements()).length).toBeLessThan(7);
  });

  it('continues after the last seal in another process, with the same roots', async () => {
    await append(7);
    await sealing.runDue(NOW);
    await append(9);
    expect(await new Sealing(log, key, 5).runDue(NOW)).toBe(2);
    await append(3);
    expect(await sealing.sealAll(NOW + HOUR)).toBe(2);
    for (const { count, root } of await statements()) expect(root).toBe(await rootOfFirst(count));
  });

  it('makes one chain of seals when several processes seal concurrently', async () => {
    await append(23);
    await Promise.all([1, 2, 3].map(() => new Sealing(log, key, 5).sealAll(NOW)));
    await sealing.sealAll(NOW);
    const all = await seals();
    expect(all.map(({ data }) => data.statement.previous)).toEqual([null, ...all.slice(0, -1).map(({ id }) => id)]);
    for (const { count, root } of await statements()) expect(root).toBe(await rootOfFirst(count));
  });

  it('seals what a clock that was ahead has recorded, within the hour of having seen it', async () => {
    await append(1, NOW + 100 * HOUR);
    expect(await sealing.runDue(NOW)).toBe(0);
    expect(await sealing.runDue(NOW + HOUR)).toBe(1);
  });

  it('starts over after a failure, and leaves nothing out', async () => {
    const failing = new InterceptedLog(log);
    sealing = new Sealing(failing, key, 5);
    await append(12);
    failing.beforeAppend = async (stream: StreamName) => {
      failing.beforeAppend = async () => undefined;
      throw new Error(`no ${stream}`);
    };
    await expect(sealing.runDue(NOW)).rejects.toThrow('no seal-log');
    expect(await sealing.runDue(NOW)).toBe(2);
    for (const { count, root } of await statements()) expect(root).toBe(await rootOfFirst(count));
  });

  it('reports that the log has lost events that the last seal covers', async () => {
    await append(5);
    await sealing.runDue(NOW);
    const lossy: EventLog = Object.assign(new InterceptedLog(log), {
      readStream: async (stream: StreamName, options: object) =>
        stream === SEALS ? log.readStream(stream, options) : [],
    });
    await expect(new Sealing(lossy, key, 5).runDue(NOW)).rejects.toThrow('the log has lost');
  });

  it('D71: appends nothing to a log that another key seals', async () => {
    await append(7);
    await sealing.sealAll(NOW);
    await append(7);
    const before = await seals();
    const [foreign, third] = [8, 9].map((byte) => new SealKey(Buffer.alloc(32, byte))) as [SealKey, SealKey];
    for (const keys of [foreign, { current: foreign, all: [foreign, third] }]) {
      const other = new Sealing(log, keys, 5);
      await expect(other.runDue(NOW + HOUR)).rejects.toThrow(WrongMasterKey);
      await expect(other.sealAll(NOW + HOUR)).rejects.toThrow(WrongMasterKey);
      await expect(other.changeKey(third, NOW + HOUR)).rejects.toThrow(WrongMasterKey);
      await expect(other.key()).rejects.toThrow(WrongMasterKey);
    }
    expect(await seals()).toEqual(before);
    expect(await sealing.sealAll(NOW + HOUR)).toBe(2);
  });

  it('writes into each seal a checkpoint with the name of the log, which does not change', async () => {
    sealing = new Sealing(log, key, 5, undefined, undefined, 'agency.example/events');
    await append(11);
    await sealing.runDue(NOW);
    for (const { data } of await seals()) {
      const { count, root } = data.statement;
      const opened = openedCheckpoint(data.checkpoint ?? '', key.publicKey);
      expect(opened).toEqual({ origin: 'agency.example/events', size: count, root });
    }
    for (const origin of ['agency.example/other', undefined]) {
      const renamed = new Sealing(log, key, 5, undefined, undefined, origin);
      await expect(renamed.sealAll(NOW + HOUR)).rejects.toThrow(OtherOrigin);
    }
    expect(await seals()).toHaveLength(2);
  });

  it('takes the name from the first event, also after a page without events', async () => {
    await append(1);
    const [first] = (await log.readLog({ after: 0 })).events;
    const readLog: EventLog['readLog'] = (options) =>
      options.after === 0 ? Promise.resolve({ events: [], reached: 0.5, atEnd: false }) : log.readLog(options);
    const foreignFirst = { readStream: log.readStream.bind(log), readLog };
    expect(await originOf(foreignFirst, undefined)).toBe(`log/${first?.metadata.hash}`);
    const empty = new InMemoryEventLog();
    expect(await originOf(empty, undefined)).toBeUndefined();
    expect(await originOf(empty, 'agency.example/events')).toBe('agency.example/events');
    await empty.close();
  });

  it('gives a log of an older build its first checkpoint without another event', async () => {
    await append(3);
    await sealing.sealAll(NOW);
    const [seal] = await seals();
    const { checkpoint: _, ...older } = seal?.data ?? {};
    const inMemory = withHashChain(new InMemoryEventLog());
    const all = (await log.readLog({ after: 0 })).events;
    for (const { stream, revision, id, type, data, metadata } of all) {
      const stored = stream === SEALS ? older : data;
      await inMemory.append(stream, revision === 0 ? 'none' : revision - 1, [{ id, type, data: stored, metadata }]);
    }
    const next = new Sealing(inMemory, key, 5);
    expect(await next.runDue(NOW + SEAL_AFTER - 1)).toBe(0);
    expect(await next.runDue(NOW + SEAL_AFTER)).toBe(1);
    expect(await next.runDue(NOW + 2 * SEAL_AFTER)).toBe(0);
    await inMemory.close();
  });
});
