import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import type { EventToAppend, StoredEvent, StreamName } from '#kernel';
import { InMemoryEventLog } from '#testing';
import { withHashChain } from './hash-chain.js';
import { SealKey } from './seal.js';
import { verifyLog } from './verification/verify-log.js';

const { seed, publicKey, keyId, events } = JSON.parse(
  readFileSync(new URL('../vectors/log.json', import.meta.url), 'utf8'),
) as { seed: string; publicKey: string; keyId: string; events: (Omit<StoredEvent, 'json'> & StoredEvent['json'])[] };

it('derives the key of the vectors from their seed', () => {
  const key = new SealKey(Buffer.from(seed, 'hex'));
  expect({ text: key.publicKey.text, id: key.publicKey.id }).toEqual({ text: publicKey, id: keyId });
});

it('chains the events of the vectors as they are chained there', async () => {
  const log = withHashChain(new InMemoryEventLog());
  for (const { id, type, stream, revision, data, metadata } of events) {
    const event: EventToAppend = { id, type, data: JSON.parse(data), metadata: JSON.parse(metadata) };
    await log.append(stream as StreamName, revision === 0 ? 'none' : revision - 1, [event]);
    const [recorded] = await log.readStream(stream as StreamName, { from: revision });
    expect(JSON.stringify(recorded?.metadata)).toBe(metadata);
  }
});

it('finds the vectors as they were written', async () => {
  const stored = events.map(
    ({ data, metadata, ...event }, index): StoredEvent => ({ ...event, position: index + 1, json: { data, metadata } }),
  );
  const log = {
    async *pages() {
      yield stored;
    },
    stream: async (name: string, from: number, limit: number) =>
      stored.filter(({ stream, revision }) => stream === name && revision >= from).slice(0, limit),
    close: async () => undefined,
  };
  const key = new SealKey(Buffer.from(seed, 'hex')).publicKey;
  expect(await verifyLog(log, key)).toMatchObject({ events: events.length, seals: 2, faults: [] });
});
