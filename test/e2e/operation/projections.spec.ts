import { expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { comparedDocuments } from '#audit';
import { ALL_PROJECTIONS } from '#contexts';
import { TASK_FIELDS } from '#jobs';
import type { Document, Projected } from '#kernel';
import { liveCollectionsOf, ReadModelComparison } from '#projections';
import type { Agency } from '../support/agency.js';
import { Receiver } from '../support/receiver.js';
import { startService } from '../support/start-service.js';

// Histories of days, which a crowded machine takes its time for.
jest.setTimeout(120_000);

const service = await startService({ env: { WEBHOOK_TARGETS: 'any' } });
const { platform } = service;

const compare = async () => {
  const { app, log } = service.services;
  const comparison = app.get(ReadModelComparison, { strict: false });
  const { readModels, differences } = await comparison.run(ALL_PROJECTIONS);
  return { readModels, differences: await comparedDocuments(log, differences) };
};

const rebuild = () => service.services.rebuild.run(ALL_PROJECTIONS);

/** Returns the documents of each read model in the order of their ids, without the fields that only workers write. */
const contents = async () => {
  const { documents } = service.services;
  const found: Record<string, object[]> = {};
  for (const { id, collection } of (await liveCollectionsOf(documents, ALL_PROJECTIONS)).values()) {
    await documents.ensure([{ name: collection, indexes: [{ name: 'ids', fields: [] }] }]);
    const all = await documents.find<Projected<Document>>(collection, { index: 'ids', limit: 10_000 });
    const times = new Set<string>(id === 'due_work' || id === 'webhook_deliveries' ? TASK_FIELDS : []);
    found[id] = all.map((each) => Object.fromEntries(Object.entries(each).filter(([name]) => !times.has(name))));
  }
  return found;
};

const step = fc.record({
  creator: fc.nat(2),
  act: fc.constantFrom('activate', 'pause', 'scan', 'findings', 'impersonation', 'rename', 'deindex', 'leave', 'wait'),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Does what is asked, with any answer: a refusal is history too. */
const take = async (agency: Agency, creators: readonly { id: string; userId: string }[], { creator, act }: Step) => {
  const { id, userId } = creators[creator] ?? { id: '', userId: '' };
  const { api } = agency;
  switch (act) {
    case 'activate':
      return api.protect(id, 'active');
    case 'pause':
      return api.protect(id, 'paused');
    case 'scan':
      return api.queueScan(id, crypto.randomUUID());
    case 'findings':
      await agency.leaks(userId, 2);
      return api.get(`/v1/creators/${id}/cases`);
    case 'impersonation':
      await agency.impersonations(userId, 1);
      return api.get(`/v1/creators/${id}/impersonations`);
    case 'rename':
      return api.patch(id, { display_name: `Ivy ${crypto.randomUUID().slice(0, 4)}` });
    case 'deindex': {
      const { body } = await api.get(`/v1/creators/${id}/cases`);
      const [found] = (body as { data?: { id: string }[] }).data ?? [];
      return found && api.requestDeindex(found.id, crypto.randomUUID());
    }
    case 'leave':
      return agency.changeUser(userId, { membership: 'ended' }).catch(() => undefined);
    case 'wait':
      return service.pass(30_000);
  }
};

test('no document differs from its rebuilt version, after random histories and while they continue', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 14 }), async (history) => {
      const agency = await service.agency();
      const receiver = await Receiver.start();
      await agency.endpoint(receiver.url);
      const creators = [await agency.active(), await agency.linked(), await agency.active()];
      const done = (async () => {
        for (const each of history) await take(agency, creators, each);
      })();
      expect((await compare()).differences).toEqual([]);
      await done;
      await service.quiet();
      const { differences, readModels } = await compare();
      expect(differences).toEqual([]);
      expect(readModels.map(({ name }) => name)).toEqual(ALL_PROJECTIONS.map(({ name }) => name));
    }),
    { numRuns: 3 },
  );
});

test('rebuilds change no answer and no document, and have no effect outside; what is due only reads', async () => {
  const agency = await service.agency();
  const receiver = await Receiver.start();
  await agency.endpoint(receiver.url);
  const { id, userId } = await agency.active();
  await agency.leaks(userId, 3);
  await agency.scanThatIs('completed', (await agency.scan(id)).id);
  await service.quiet();
  const before = { contents: await contents(), recorded: service.recorded, delivered: receiver.received.length };

  const called = await platform.calledDuring(async () => {
    await rebuild();
    await service.quiet();
    expect(await contents()).toEqual(before.contents);
    await rebuild();
    await service.quiet();
  });
  expect(await contents()).toEqual(before.contents);
  expect(called.filter((operation) => !/^(find|get|list)/.test(operation))).toEqual([]);
  expect({ recorded: service.recorded, delivered: receiver.received.length }).toEqual({
    recorded: before.recorded,
    delivered: before.delivered,
  });

  // The runner continues with the new collections, and nothing is kept of the replaced ones.
  await agency.api.protect(id, 'paused');
  await service.quiet();
  expect((await compare()).differences).toEqual([]);
  const { documents } = service.services;
  const live = [...(await liveCollectionsOf(documents, ALL_PROJECTIONS)).values()].map(({ collection }) => collection);
  const isOfReadModel = (name: string) => ALL_PROJECTIONS.some((projection) => name.startsWith(`${projection.name}_v`));
  expect((await documents.collections()).filter(isOfReadModel).toSorted()).toEqual(live.toSorted());
});

test('lists are read without a failure while their collections are replaced and dropped', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.active();
  await agency.leaks(userId, 3);
  const data = await agency.api.cases(id);
  await service.quiet();
  let isRebuilding = true;
  const reading = async () => {
    for (let reads = 0; isRebuilding || reads < 10; reads++) {
      const { status, body } = await agency.api.get(`/v1/creators/${id}/cases`);
      expect({ status, body }).toEqual({ status: 200, body: expect.objectContaining({ data }) });
    }
  };
  const readers = Promise.all([reading(), reading()]);
  for (let times = 0; times < 2; times++) await rebuild();
  isRebuilding = false;
  await readers;
});
