import { expect, test } from '@jest/globals';
import { DAY, DomainError, HOUR, MINUTE } from '#kernel';
import { isSigned, Receiver } from '../support/receiver.js';
import { startService } from '../support/start-service.js';

const service = await startService({ env: { WEBHOOK_TARGETS: 'any' } });

const listening = async () => {
  const agency = await service.agency();
  const receiver = await Receiver.start();
  return { agency, receiver, ...(await agency.endpoint(receiver.url)) };
};

const codeOf = (refused: Promise<unknown>): Promise<string> =>
  refused.then(
    () => 'accepted',
    (error: unknown) => (error instanceof DomainError ? error.code : String(error)),
  );

test('registering passes the checks of binding, in their order (spec 1, D19)', async () => {
  const agency = await service.agency();
  const register = () => codeOf(agency.endpoint('http://127.0.0.1:9/'));
  await agency.change({ kyc_status: 'pending' });
  expect(await register()).toBe('agency_kyc_required');
  await agency.change({ onboarding_complete: false });
  expect(await register()).toBe('agency_account_required');
  await agency.change({ onboarding_complete: true, kyc_status: 'approved', owner_user_id: crypto.randomUUID() });
  expect(await register()).toBe('agency_owner_changed');
  await service.platform.fault({ operation: 'getAgency', kind: 'status', status: 503 });
  expect(await register()).toBe('agency_verification_unavailable');
});

test('after a rotation the new secret signs, the old one no longer (D61)', async () => {
  const { agency, receiver, secret, id } = await listening();
  const rotated = await agency.rotate(id);
  await agency.linked();
  await service.quiet();
  const [received] = receiver.received;
  if (received === undefined) throw new Error('nothing came');
  expect(isSigned(received, rotated.secret, service.clock.now())).toBe(true);
  expect(isSigned(received, secret, service.clock.now())).toBe(false);
});

test('with an overlap both sign for that time, the new one first (D61)', async () => {
  const { agency, receiver, secret, id } = await listening();
  const rotated = await agency.rotate(id, DAY);
  const signedBy = async () => {
    receiver.forget();
    await agency.linked();
    await service.quiet();
    const [received] = receiver.received;
    if (received === undefined) throw new Error('nothing came');
    const count = String(received.headers['x-svc-signature']).split('v1=').length - 1;
    const by = [rotated.secret, secret].map((each) => isSigned(received, each, service.clock.now()));
    return { count, by };
  };
  expect(await signedBy()).toEqual({ count: 2, by: [true, true] });
  await service.pass(DAY - 1);
  expect(await signedBy()).toEqual({ count: 2, by: [true, true] });
  await service.pass(1);
  expect(await signedBy()).toEqual({ count: 1, by: [true, false] });
});

test('a disabled endpoint gets nothing more, and what was waiting for it has failed', async () => {
  const { agency, receiver, id } = await listening();
  receiver.answers(500);
  await agency.linked();
  await agency.deliveries();
  await agency.disable(id);
  await agency.linked();
  await service.pass(2 * MINUTE);
  expect(await agency.deliveries()).toMatchObject([{ status: 'failed', attempts: 1, lastError: 'endpoint_disabled' }]);
  expect(receiver.received).toHaveLength(1);
});

test('endpoints of an earlier binding get nothing, not even what waited (D19)', async () => {
  const { agency, receiver } = await listening();
  receiver.answers(500);
  const creator = await agency.linked();
  await agency.deliveries();
  await agency.change({ owner_user_id: crypto.randomUUID() });
  await agency.bind();
  const { api } = await agency.issueKey();
  await api.roster();
  await agency.changeUser(creator.userId, { authorization: 'rejected' });
  await api.roster();
  const renewed = await Receiver.start();
  await agency.endpoint(renewed.url);
  await agency.changeUser(creator.userId, { authorization: 'approved' });
  await api.roster();
  await service.pass(2 * MINUTE);
  expect(await agency.deliveries('failed')).toMatchObject([{ attempts: 1, lastError: 'access_revoked' }]);
  expect(receiver.received).toHaveLength(1);
  expect(renewed.events.map(({ type }) => type)).toEqual(['creator.updated']);
});

test('an endpoint that has failed for five days is disabled, with an event that says why', async () => {
  const { agency, receiver, id } = await listening();
  receiver.answers(500);
  await agency.linked();
  await agency.deliveries();
  const failingSince = service.clock.now();
  await service.pass(5 * DAY - 1);
  await agency.linked();
  await agency.deliveries();
  const lastEvent = async () => (await service.services.log.readStream(`webhookEndpoint-${id}`)).at(-1);
  expect((await lastEvent())?.type).toBe('webhookEndpoint.registered.v1');
  await service.pass(13 * MINUTE);
  expect(await lastEvent()).toMatchObject({
    type: 'webhookEndpoint.disabled.v1',
    data: { reason: 'failing', failingSince },
  });
  expect(await service.services.endpointList.ofAgency(agency.id)).toMatchObject([{ status: 'disabled' }]);
});

test('a quiet endpoint is not disabled by one failure now and another five days ago, but by a second event lost', async () => {
  const { agency, receiver, id } = await listening();
  const statusNow = async () => (await service.services.webhookEndpoints.load(id)).status;
  const passWaits = async () => {
    for (const wait of [MINUTE, 10 * MINUTE, HOUR, 6 * HOUR]) await service.pass(1.2 * wait);
  };
  receiver.answers(500);
  await agency.linked();
  await service.quiet();
  await passWaits();
  expect(await agency.deliveries('failed')).toMatchObject([{ attempts: 5 }]);
  await service.pass(5 * DAY);
  await agency.linked();
  await service.quiet();
  expect(await agency.deliveries('pending')).toMatchObject([{ attempts: 1 }]);
  expect(await statusNow()).toBe('active');
  await passWaits();
  expect(await statusNow()).toBe('disabled');
});

test('one success in five days is enough to go on', async () => {
  const { agency, receiver, id } = await listening();
  receiver.answers(500);
  await agency.linked();
  await agency.deliveries();
  await service.pass(4 * DAY);
  receiver.answers(200);
  await agency.linked();
  await agency.deliveries();
  receiver.answers(500);
  await service.pass(2 * DAY);
  await agency.linked();
  await agency.deliveries();
  expect((await service.services.webhookEndpoints.load(id)).status).toBe('active');
});

test('a test is a signed ping, sent once, and no part of the feed', async () => {
  const { agency, receiver, secret, id } = await listening();
  const { webhookEndpoints } = service.services;
  const { id: owner } = agency;
  await agency.ping(id);
  await service.quiet();
  expect(receiver.events).toEqual([
    {
      id: receiver.eventIds[0],
      type: 'ping',
      workspace_id: agency.workspaceId,
      created_at: service.clock.now(),
      simulated: false,
      data: {},
    },
  ]);
  expect(receiver.received.map((received) => isSigned(received, secret, service.clock.now()))).toEqual([true]);
  expect((await webhookEndpoints.load(id)).test?.result).toEqual({ status: 200, error: null });
  expect(await agency.told()).toEqual([]);
  expect(await agency.deliveries()).toEqual([]);
  expect(owner).toBe(agency.id);
  receiver.answers(500);
  await agency.ping(id);
  await service.pass(HOUR);
  expect(receiver.received).toHaveLength(2);
  expect((await webhookEndpoints.load(id)).test?.result).toEqual({ status: 500, error: 'refused' });
});
