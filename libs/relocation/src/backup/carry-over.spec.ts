import { expect, it } from '@jest/globals';
import { type CreatorId, type EventToAppend, newEventId, newId, type RecordedEvent, type StreamName } from '#kernel';
import { FakeClock, InMemoryEventLog, InMemoryKeyStore } from '#testing';
import { carryOver, type TakenAway } from './carry-over.js';

const metadata = { at: 1, correlationId: 'c', causationId: null, actor: 'operator:test', workspaceId: null };
const event = (type: string, data: object): EventToAppend => ({ id: newEventId(), type, data, metadata });
const recorded = (stream: StreamName, type: string, data: object): RecordedEvent => ({
  ...event(type, data),
  stream,
  revision: 9,
  position: 9,
});
const taken = (changes: Partial<TakenAway>): TakenAway => ({ events: [], destroyed: new Map(), seals: [], ...changes });

const stores = async () => {
  const [log, personalKeys] = [new InMemoryEventLog(), new InMemoryKeyStore()];
  const endpointId = newId('webhookEndpoint');
  const stream: StreamName = `webhookEndpoint-${endpointId}`;
  const registered = {
    endpointId,
    agencyId: 'a',
    workspaceId: 'w',
    epoch: 1,
    url: 'https://x.example',
    encryptedSecret: 'first',
  };
  await log.append(stream, 'none', [event('webhookEndpoint.registered.v2', registered)]);
  return { log, personalKeys, endpointId, stream };
};
const rotated = (stream: StreamName, encryptedSecret: string) =>
  recorded(stream, 'webhookEndpoint.secretRotated.v2', { encryptedSecret, overlapUntil: null });

it('D105: carries each secret once, also where two replaced logs have it, and names who carried it', async () => {
  const { log, personalKeys, endpointId, stream } = await stores();
  const events = [rotated(stream, 'second'), rotated(stream, 'second'), rotated(stream, 'first')];
  const carried = await carryOver(taken({ events }), { log, personalKeys }, new FakeClock());
  expect(carried.replacedSecrets).toEqual([endpointId]);
  const [, ...again] = await log.readStream(stream);
  expect(again.map(({ data }) => data)).toEqual([{ encryptedSecret: 'second', overlapUntil: null }]);
  expect(again[0]?.metadata.actor).toBe('operator:restore');
});

it('D105: gives nothing back: an endpoint that was enabled again since is neither disabled nor enabled', async () => {
  const { log, personalKeys, stream } = await stores();
  const data = { reason: 'operator', failingSince: null };
  const disabled = recorded(stream, 'webhookEndpoint.disabled.v1', data);
  const enabled = recorded(stream, 'webhookEndpoint.enabled.v1', {});
  const carry = (events: readonly RecordedEvent[]) =>
    carryOver(taken({ events }), { log, personalKeys }, new FakeClock());
  expect((await carry([disabled, enabled])).disabledEndpoints).toEqual([]);
  expect((await carry([enabled, disabled])).disabledEndpoints).toHaveLength(1);
  await carry([disabled, enabled]);
  expect((await log.readStream(stream)).at(-1)?.type).toBe('webhookEndpoint.disabled.v1');
});

it('D105: destroys the key of a creator whose erasure only the log or only the key store shows', async () => {
  const { log, personalKeys } = await stores();
  const [byLog, byKeys]: CreatorId[] = [newId('creator'), newId('creator')];
  if (byLog === undefined || byKeys === undefined) throw new Error('two ids');
  await personalKeys.add(new Map([byLog, byKeys].map((id) => [id, Buffer.from(id)])));
  const events = [recorded(`creator-${byLog}`, 'creator.personalDataErased.v1', {})];
  const carried = await carryOver(
    taken({ events, destroyed: new Map([[byKeys, 7]]) }),
    { log, personalKeys },
    new FakeClock(),
  );
  expect(carried.erasedSince.toSorted()).toEqual([byLog, byKeys].toSorted());
  const kept = await personalKeys.get([byLog, byKeys]);
  expect([...kept.values()].map(({ status }) => status)).toEqual(['destroyed', 'destroyed']);
});
