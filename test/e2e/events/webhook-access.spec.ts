import type { ServerResponse } from 'node:http';
import { expect, test } from '@jest/globals';
import { HOUR, MINUTE } from '#kernel';
import { eventually } from '../support/eventually.js';
import { Receiver } from '../support/receiver.js';
import { startService } from '../support/start-service.js';

const service = await startService({ env: { WEBHOOK_TARGETS: 'any' } });

const listening = async () => {
  const agency = await service.agency();
  const receiver = await Receiver.start();
  return { agency, receiver, ...(await agency.endpoint(receiver.url)) };
};

test('D77: the deliveries of a missing creator wait without an attempt, and are sent when it is back', async () => {
  const { agency, receiver } = await listening();
  receiver.answers(500);
  const { id, userId } = await agency.linked();
  await agency.deliveries();
  receiver.answers(200);
  // No synchronization runs in between: it would end the membership.
  await service.whileNothingIsDone(async () => {
    await agency.changeUser(userId, { agency_id: null });
    expect(await agency.api.get(`/v1/creators/${id}`)).toMatchObject({ status: 404 });
    await service.pass(2 * MINUTE);
    expect(await agency.deliveries()).toMatchObject([{ status: 'pending', attempts: 1, lastError: 'refused' }]);
    await agency.changeUser(userId, { agency_id: agency.id });
    expect(await agency.api.get(`/v1/creators/${id}`)).toMatchObject({ status: 200 });
    await service.pass(HOUR);
  });
  expect(await agency.deliveries('pending')).toEqual([]);
  expect(receiver.received.length).toBeGreaterThan(1);
});

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

test('a delivery is postponed for at most 72 hours after it was due (D62)', async () => {
  const { agency, receiver } = await listening();
  receiver.answers(500);
  await agency.linked();
  await agency.deliveries();
  await agency.change({ kyc_status: 'pending' });
  await service.pass(2 * MINUTE);
  await service.pass(72 * HOUR + MINUTE);
  expect(await agency.deliveries()).toMatchObject([{ status: 'failed', attempts: 1, lastError: 'agency_denied' }]);
  expect(receiver.received).toHaveLength(1);
});

test('an unreachable platform postpones deliveries by seconds', async () => {
  const { agency, receiver } = await listening();
  receiver.answers(500);
  await agency.linked();
  await agency.deliveries();
  receiver.answers(200);
  await service.platform.fault({ operation: 'getAgency', kind: 'status', status: 503 });
  await service.pass(2 * MINUTE);
  expect(await agency.deliveries()).toMatchObject([{ status: 'pending', attempts: 1 }]);
  await service.platform.heal();
  await service.pass(6_000);
  expect(await agency.deliveries()).toMatchObject([{ status: 'delivered', attempts: 2 }]);
});

test('a replayed failed delivery has up to five new attempts, a continued count and the same event id (D62)', async () => {
  const { agency, receiver } = await listening();
  receiver.answers(500);
  await agency.linked();
  await service.quiet();
  for (let round = 0; round < 4; round++) await service.pass(8 * HOUR);
  const [failed] = await agency.deliveries();
  expect(failed).toMatchObject({ status: 'failed', attempts: 5 });
  await agency.replay(failed?.id ?? '');
  expect(await agency.deliveries()).toMatchObject([{ status: 'pending', attempts: 6 }]);
  for (let round = 0; round < 4; round++) await service.pass(8 * HOUR);
  expect(await agency.deliveries()).toMatchObject([{ status: 'failed', attempts: 10 }]);
  receiver.answers(200);
  await agency.replay(failed?.id ?? '');
  expect(await agency.deliveries()).toMatchObject([{ status: 'delivered', attempts: 11 }]);
  expect(new Set(receiver.eventIds)).toEqual(new Set([failed?.eventId]));
  expect(new Set(receiver.received.map(({ body }) => body.toString())).size).toBe(1);
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
