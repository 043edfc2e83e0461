import { expect, test } from '@jest/globals';
import { Service } from '../support/service.js';

test('a stop ends the tasks, then HTTP, then the runners, then the stores', async () => {
  const service = await Service.start();
  const agency = await service.agency();
  const { id } = await agency.active();
  const { log, documents } = service.services;
  const order: string[] = [];
  const note = (step: string) => {
    if (!order.includes(step)) order.push(step);
  };

  // A write that is under way when the stop begins, and goes on when the tasks have ended.
  const arrived = Promise.withResolvers<void>();
  const tasksEnded = Promise.withResolvers<void>();
  const append = log.append;
  log.append = async (stream, expected, events) => {
    const [first] = events;
    const isManual = first !== undefined && 'source' in first.data && first.data.source === 'manual';
    if (isManual && stream.startsWith('scanAllowance-')) {
      arrived.resolve();
      await tasksEnded.promise;
      note('appended');
    }
    return append(stream, expected, events);
  };
  const { tasks } = service.jobs;
  const stop = tasks.stop.bind(tasks);
  tasks.stop = async () => {
    await stop();
    note('tasks ended');
    tasksEnded.resolve();
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
  expect(order).toEqual(['tasks ended', 'appended', 'projected', 'answered', 'stores closed']);
});
