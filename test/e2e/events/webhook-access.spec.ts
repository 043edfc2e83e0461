import type { ServerResponse } from 'node:http';
import { expect, test } from '@jest/globals';
import { HOUR, MINUTE } from '#kernel';
import { eventually } from '#testing';
import { Receiver } from '../support/receiver.js';
import { startService } from '../support/start-service.js';

const service = await startService({ env: { WEBHOOK_TARGETS: 'any' } });

const listening = async () => {
  const agency = await service.agency();
  const receiver = await Receiver.start();
  return { agency, receiver, ...(await agency.endpoint(receiver.url)) };
};

test('the delivery of a creator whose membership has ended fails for good with access_revoked (D62, D77)', async () => {
  const { agency, receiver } = await listening();
  receiver.answers(500);
  const { id, userId } = await agency.linked();
  await agency.deliveries();
  await agency.changeUser(userId, { agency_id: null });
  await agency.api.get(`/v1/creators/${id}`);
  await service.pass(HOUR);
  await service.pass(HOUR);
  expect(await agency.deliveries()).toMatchObject([{ status: 'failed', attempts: 1, lastError: 'access_revoked' }]);
  expect(receiver.received).toHaveLength(1);
});

test('while the agency is denied, deliveries are postponed without an attempt, and are sent when it is approved (D62)', async () => {
  const { agency, receiver } = await listening();
  receiver.answers(500);
  await agency.linked();
  await agency.deliveries();
  await agency.change({ kyc_status: 'pending' });
  receiver.answers(200);
  await service.pass(2 * MINUTE);
  await service.pass(71 * HOUR);
  expect(await agency.deliveries()).toMatchObject([{ status: 'pending', attempts: 1 }]);
  await agency.change({ kyc_status: 'approved' });
  await service.pass(MINUTE);
  expect(await agency.deliveries()).toMatchObject([{ status: 'delivered', attempts: 2 }]);
});

test('a delivered delivery can be replayed too (D62)', async () => {
  const { agency, receiver } = await listening();
  await agency.linked();
  const [delivered] = await agency.deliveries();
  await agency.replay(delivered?.id ?? '');
  expect(await agency.deliveries()).toMatchObject([{ status: 'delivered', attempts: 2 }]);
  expect(receiver.received).toHaveLength(2);
});

test('a failing endpoint does not change the times and attempts of another (D63)', async () => {
  const { agency, receiver } = await listening();
  const dead = await Receiver.start();
  const held: ServerResponse[] = [];
  dead.answersBy((response) => held.push(response));
  const failing = await Receiver.start();
  failing.answers(500);
  await agency.endpoint(dead.url);
  await agency.endpoint(failing.url);
  await agency.active();
  await agency.linked();
  const events = await eventually(async () => {
    const published = await agency.api.events();
    expect(published).toHaveLength(3);
    expect(receiver.eventIds.toSorted()).toEqual(published.map(({ id }) => id).toSorted());
    expect(dead.received.length).toBeGreaterThan(0);
    return published;
  });
  expect(held.length).toBe(dead.received.length);
  dead.answers(200);
  for (const response of held) response.end();
  await service.quiet();
  expect(dead.eventIds.toSorted()).toEqual(events.map(({ id }) => id).toSorted());
});
