import { expect, it } from '@jest/globals';
import { newEventId } from '#kernel';
import { InMemoryDocumentStore } from '#testing';
import { logOnDouble } from '../../../event-log/src/eventstoredb/testing/log-on-double.js';
import { Checkpoints, endOf } from './checkpoints.js';

const METADATA = { at: 0, correlationId: 'c', causationId: null, actor: 'process:test', workspaceId: null };
const withEvents = async (count: number) => {
  const opened = await logOnDouble();
  for (let n = 0; n < count; n++)
    await opened.log.append('thing-1', 'any', [
      { id: newEventId(), type: 'thing.happened.v1', data: { n }, metadata: METADATA },
    ]);
  return opened;
};

it('D92: a checkpoint on an event store is believed there, and refused on one that was restored or exchanged', async () => {
  const [own, other, empty] = [await withEvents(3), await withEvents(5), await withEvents(0)];
  const store = new InMemoryDocumentStore();
  await store.write([], { name: 'runner', fence: 1, ...(await endOf(own.log)) });
  const isBelieved = ({ log }: typeof own) =>
    new Checkpoints(store, log).isOfThisLog({ name: 'runner', consumers: [] });
  expect([await isBelieved(own), await isBelieved(other), await isBelieved(empty)]).toEqual([true, false, false]);
  for (const { close } of [own, other, empty]) await close();
});
