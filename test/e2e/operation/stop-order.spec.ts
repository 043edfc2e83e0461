import { expect, test } from '@jest/globals';
import { Service } from '../support/service.js';

test('a stop ends claiming, then HTTP, then the runners, then the stores', async () => {
  const service = await Service.start();
  const agency = await service.agency();
  const { id } = await agency.active();
  const { log, documents, dueWork } = service.services;
  const order: string[] = [];
  const note = (step: string) => {
    if (!order.includes(step)) order.push(step);
  };

  // A write that is under way when the stop begins, and goes on when claiming has ended.
  const arrived = Promise.withResolvers<void>();
  const claimingEnded = Promise.withResolvers<void>();
  const append = log.append;
  log.append = async (stream, expected, events) => {
    const [first] = events;
    const isManual = first !== undefined && 'source' in first.data && first.data.source === 'manual';
    if (isManual && stream.startsWith('scanAllowance-')) {
      arrived.resolve();
      await claimingEnded.promise;
      note('appended');
    }
    return append(stream, expected, events);
  };
  const releaseOwnClaims = dueWork.releaseOwnClaims.bind(dueWork);
  dueWork.releaseOwnClaims = async (now) => {
    const released = await releaseOwnClaims(now);
    note('claiming ended');
    claimingEnded.resolve();
    return released;
  };
  const write = documents.write.bind(documents);
  documents.write = async (writes) => {
    await write(writes);
    const isDueWork = writes.some(({ collection }) => collection.startsWith('due_work'));
    if (isDueWork && order.includes('appended')) note('projected');
  };
  const close = documents.close.bind(documents);
  documents.close = async () => {
    note('stores closed');
    await close();
  };

  const answered = agency.scan(id).then(() => note('answered'));
  await arrived.promise;
  await Promise.all([service.stop(), answered]);
  expect(order).toEqual(['claiming ended', 'appended', 'projected', 'answered', 'stores closed']);
});
