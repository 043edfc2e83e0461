import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openSqliteEventLog, openSqliteStoredLog } from '#event-log';
import { type EventLog, newEventId, type RecordedEvent, streamName, WrongMasterKey } from '#kernel';
import { InterceptedLog } from '../../kernel/src/stores/intercepted-log.fixtures.js';
import { withHashChain } from './hash-chain.js';
import { KEY_CHANGED, type KeyChanged, keyChanged, sealKeyInForce } from './key-change.js';
import { SEALS, SealKey } from './seal.js';
import { Sealing } from './sealing.js';
import { verifyLog } from './verification/verify-log.js';

const NOW = 1_767_225_600_000;
const [first, second, third, foreign] = [1, 2, 3, 4].map((byte) => new SealKey(Buffer.alloc(32, byte))) as [
  SealKey,
  SealKey,
  SealKey,
  SealKey,
];

let directory: string;
let file: string;
let log: EventLog;
let events: number;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'key-change-'));
  file = join(directory, 'events.db');
  log = withHashChain(openSqliteEventLog({ file }));
  events = 0;
});
afterEach(async () => {
  await log.close();
  await rm(directory, { recursive: true });
});

const metadata = { at: NOW, correlationId: 'c', causationId: null, actor: 'test', workspaceId: null };
const sealedBy = async (...all: [SealKey, ...SealKey[]]): Promise<void> => {
  const stream = streamName('thing', `${events++}`);
  await log.append(stream, 'none', [{ id: newEventId(), type: 'thing.happened.v1', data: {}, metadata }]);
  await new Sealing(log, { current: all[0], all }).sealAll(NOW);
};
const change = (to: SealKey, from: SealKey) => new Sealing(log, { current: to, all: [to, from] }).changeKey(from, NOW);
const endOfStream = async () => (await log.readStream(SEALS, { direction: 'backwards', limit: 1 }))[0];
const append = async (data: object) => {
  const end = await endOfStream();
  await log.append(SEALS, end?.revision ?? 'none', [{ id: newEventId(), type: KEY_CHANGED, data, metadata }]);
};

/** As somebody sees the log who goes on with the first key in spite of a change. */
const withoutChanges = (): EventLog =>
  Object.assign(new InterceptedLog(log), {
    readStream: async (...args: Parameters<EventLog['readStream']>) =>
      (await log.readStream(...args)).map((event) =>
        event.type === KEY_CHANGED ? { ...event, data: { statement: { to: { id: first.publicKey.id } } } } : event,
      ),
  });

const verified = async ({ publicKey }: SealKey, ...trusted: SealKey[]) => {
  const stored = openSqliteStoredLog(file);
  try {
    const options = { trusted: trusted.map((key) => key.publicKey) };
    const { seals, sealedEvents, faults } = await verifyLog(stored, publicKey, options);
    return { seals, sealedEvents, faults: faults.map(({ kind, message }) => `${kind}: ${message}`) };
  } finally {
    await stored.close();
  }
};

describe('D85: a change of the key of the seals', () => {
  it('lets a verifier that has any of the keys accept all seals, before and after two changes', async () => {
    await sealedBy(first);
    await change(second, first);
    await sealedBy(second, first);
    await change(third, second);
    await sealedBy(third, second);
    for (const key of [first, second, third]) {
      expect(await verified(key)).toEqual({ seals: 3, sealedEvents: 7, faults: [] });
    }
    expect((await verified(foreign)).faults).toHaveLength(5);
    expect(await sealKeyInForce(log)).toBe(third.publicKey.id);
  });

  it('is recorded once however often it is asked for, and concurrently', async () => {
    await sealedBy(first);
    await Promise.all([change(second, first), change(second, first)]);
    await change(second, first);
    const stream = await log.readStream(SEALS);
    expect(stream.filter(({ type }) => type === KEY_CHANGED)).toHaveLength(1);
  });

  it('is recorded also in a log without seals, so that who knows the old key accepts the first one', async () => {
    await change(second, first);
    await sealedBy(second, first);
    for (const key of [first, second]) expect((await verified(key)).faults).toEqual([]);
  });

  it('makes a process that has both keys seal with the new one, but not before', async () => {
    await sealedBy(second, first);
    expect(await sealKeyInForce(log)).toBe(second.publicKey.id);
    await sealedBy(first, second);
    expect(await sealKeyInForce(log)).toBe(second.publicKey.id);
  });

  it('is not needed by a verifier that trusts both keys, as between the start with both and the rotation', async () => {
    await sealedBy(first);
    expect((await verified(second)).faults).toHaveLength(1);
    expect((await verified(second, first)).faults).toEqual([]);
  });

  it('does not let the old key seal after it', async () => {
    await sealedBy(first);
    await change(second, first);
    await expect(sealedBy(first)).rejects.toThrow(WrongMasterKey);
    await new Sealing(withoutChanges(), first).sealAll(NOW);
    expect((await verified(second)).faults[0]).toContain(`not with ${second.publicKey.id}`);
    expect((await verified(first)).faults).toHaveLength(1);
  });

  it('is refused if both keys have not signed it, or if a key is unknown', async () => {
    await sealedBy(first);
    const end = (await endOfStream()) as RecordedEvent;
    const genuine = keyChanged(first, foreign, { previous: end.id, at: NOW }).data;
    const other = keyChanged(third, foreign, { previous: end.id, at: NOW }).data;
    const forged: KeyChanged['data'][] = [
      { ...genuine, signatures: { ...genuine.signatures, from: genuine.signatures.to } },
      { ...genuine, signatures: { ...genuine.signatures, to: genuine.signatures.from } },
      { ...genuine, statement: { ...genuine.statement, at: NOW + 1 } },
      { ...other, statement: { ...other.statement, from: genuine.statement.from } },
      other,
    ];
    for (const data of forged) await append(data);
    const { faults } = await verified(first);
    expect(faults).toHaveLength(forged.length);
    expect(faults.every((fault) => fault.startsWith('bad_seal: it '))).toBe(true);
    expect((await verified(foreign)).faults).not.toEqual([]);
  });

  it('is refused at another place than it was made for', async () => {
    await sealedBy(first);
    const early = keyChanged(first, second, { previous: (await endOfStream())?.id ?? null, at: NOW }).data;
    await sealedBy(first);
    await append(early);
    expect((await verified(first)).faults).toEqual(['bad_seal: it does not name the seal before it']);
  });
});
