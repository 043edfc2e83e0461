import { afterAll, expect, jest, test } from '@jest/globals';
import { Caches } from '#kernel';
import { Receiver } from '../support/receiver.js';
import { startService } from '../support/start-service.js';

const create = jest.spyOn(Caches.ON, 'create');
const areOn = jest.fn(() => true);
Object.defineProperty(Caches.ON, 'areOn', { get: areOn, configurable: true });
// Later spec files of this worker have the same object, and a spy would keep each of their caches.
afterAll(() => {
  create.mockRestore();
  Object.defineProperty(Caches.ON, 'areOn', { value: true });
});

const service = await startService({ env: { CACHES: 'off', WEBHOOK_TARGETS: 'any' } });

test('no part of the service makes a cache with CACHES=off', async () => {
  const agency = await service.agency();
  const receiver = await Receiver.start();
  await agency.endpoint(receiver.url);
  await agency.active();
  expect(await agency.publishedEvents()).toHaveLength(2);
  expect(receiver.received).toHaveLength(2);
  expect(create).not.toHaveBeenCalled();
  expect(areOn).not.toHaveBeenCalled();
});
