import { expect, test } from '@jest/globals';
import { DAY, DomainError, HOUR, MINUTE, parseId, type WebhookEndpointId } from '#kernel';
import {
  ChooseEventTypes,
  chosenTypes,
  EnableEndpoint,
  GetEndpoint,
  ListEndpoints,
  ReplayDelivery,
  TestEndpoint,
} from '#webhooks';
import { operator } from '../support/operator.js';
import { isSigned, isStandardSigned, Receiver } from '../support/receiver.js';
import { startService } from '../support/start-service.js';

const service = await startService({ env: { WEBHOOK_TARGETS: 'any' } });

const listening = async () => {
  const agency = await service.agency();
  const receiver = await Receiver.start();
  return { agency, receiver, ...(await agency.endpoint(receiver.url)) };
};

const endpointNow = (id: WebhookEndpointId) => service.services.queries.execute(new GetEndpoint(id));

const codeOf = (refused: Promise<unknown>): Promise<string> =>
  refused.then(
    () => 'accepted',
    (error: unknown) => (error instanceof DomainError ? error.code : String(error)),
  );

test('registration makes the checks of a binding, in their order (spec 1, D19)', async () => {
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

test('with an overlap both sign for that time, the new one first (D61, D102)', async () => {
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
    const byStandard = [rotated.secret, secret].map((each) => isStandardSigned(received, each));
    return { count, by, byStandard };
  };
  expect(await signedBy()).toEqual({ count: 2, by: [true, true], byStandard: [true, true] });
  await service.pass(DAY - 1);
  expect(await signedBy()).toEqual({ count: 2, by: [true, true], byStandard: [true, true] });
  await service.pass(1);
  expect(await signedBy()).toEqual({ count: 1, by: [true, false], byStandard: [true, false] });
});

test('D104: an endpoint gets the event types that it names, as of their publication', async () => {
  const { agency, receiver, id } = await listening();
  const choose = async (...names: string[]) =>
    service.services.commands.execute(new ChooseEventTypes(id, chosenTypes(names), operator()));
  await choose('case.created', 'case.deleted');
  await agency.linked();
  expect(await agency.deliveries()).toEqual([]);
  await choose('creator.updated');
  await agency.linked();
  expect(await agency.deliveries()).toMatchObject([{ eventType: 'creator.updated', status: 'delivered' }]);
  expect(receiver.received).toHaveLength(1);
  expect(await codeOf(choose('case.moved'))).toBe('invalid_request');
});

test('D82: a disabled endpoint gets nothing more, and its pending deliveries fail immediately, due or not', async () => {
  const { agency, receiver, id } = await listening();
  receiver.answers(500);
  await agency.linked();
  await agency.deliveries();
  await agency.disable(id);
  await agency.linked();
  const failed = { status: 'failed', attempts: 1, lastError: 'endpoint_disabled' };
  expect(await agency.deliveries()).toMatchObject([failed]);
  await service.pass(2 * MINUTE);
  expect(await agency.deliveries()).toMatchObject([failed]);
  expect(receiver.received).toHaveLength(1);
});

test('D82: an endpoint that is enabled again keeps its id, URL and secret, and failed deliveries can be replayed', async () => {
  const { agency, receiver, id, secret } = await listening();
  receiver.answers(500);
  await agency.linked();
  await agency.deliveries();
  await agency.disable(id);
  const [failed] = await agency.deliveries('failed');
  expect(await codeOf(agency.replay(failed?.id ?? ''))).toBe('invalid_request');
  await agency.linked();
  await agency.publishedEvents();

  expect(await agency.enable(id)).toMatchObject({ endpointId: id, url: receiver.url, status: 'active' });
  receiver.forget();
  receiver.answers(200);
  await agency.replay(failed?.id ?? '');
  expect(await agency.deliveries()).toMatchObject([{ id: failed?.id, status: 'delivered', attempts: 2 }]);
  await agency.linked();
  expect(await agency.deliveries()).toMatchObject([{ status: 'delivered' }, { status: 'delivered' }]);
  expect(receiver.received.map((each) => isSigned(each, secret, service.clock.now()))).toEqual([true, true]);
});

test('D82: enabling makes the checks of registration, and refuses an endpoint of an earlier binding', async () => {
  const { agency, id } = await listening();
  await agency.disable(id);
  const enabling = () => codeOf(agency.enable(id));
  await agency.change({ kyc_status: 'pending' });
  expect(await enabling()).toBe('agency_kyc_required');
  await agency.change({ kyc_status: 'approved', owner_user_id: crypto.randomUUID() });
  expect(await enabling()).toBe('agency_owner_changed');
  await agency.bind();
  expect(await enabling()).toBe('agency_key_reissue_required');
  expect((await endpointNow(id)).status).toBe('disabled');
});

test('D82: an endpoint that has failed for five days is disabled, with an event that says why', async () => {
  const { agency, receiver, id } = await listening();
  receiver.answers(500);
  await agency.linked();
  await agency.deliveries();
  const failingSince = service.clock.now();
  await service.pass(5 * DAY - 1);
  await agency.linked();
  await agency.deliveries();
  const ended = async () => {
    const events = await service.services.log.readStream(`webhookEndpoint-${id}`);
    return events.slice(1).map(({ type, data }) => ({ type, data }));
  };
  expect(await ended()).toEqual([]);
  await service.pass(13 * MINUTE);
  await service.quiet();
  expect(await ended()).toEqual([
    { type: 'webhookEndpoint.disabled.v1', data: { endpointId: id, reason: 'failing', failingSince } },
    { type: 'webhookEndpoint.pendingDeliveriesFailed.v1', data: { endpointId: id } },
  ]);
  expect(await service.services.queries.execute(new ListEndpoints(agency.id))).toMatchObject([
    { status: 'disabled', disabledBecause: 'failing' },
  ]);
  expect(await agency.deliveries('pending')).toEqual([]);
});

test('a test sends one signed ping, which is not in the feed', async () => {
  const { agency, receiver, secret, id } = await listening();
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
  expect((await endpointNow(id)).test?.result).toMatchObject({ status: 200, error: null });
  expect(await agency.publishedEvents()).toEqual([]);
  expect(await agency.deliveries()).toEqual([]);
  expect(owner).toBe(agency.id);
  receiver.answers(500);
  await agency.ping(id);
  await service.pass(HOUR);
  expect(receiver.received).toHaveLength(2);
  expect((await endpointNow(id)).test?.result).toMatchObject({ status: 500, error: 'refused' });
});

test('an endpoint of an earlier binding is not rotated, tested or enabled, and a delivery to it is not replayed (D19, D100)', async () => {
  const { agency, receiver, id } = await listening();
  await agency.linked();
  await service.quiet();
  const [delivery] = await agency.deliveries();
  const deliveryId = parseId('webhookDelivery', delivery?.id ?? '');
  if (deliveryId === undefined) throw new Error('nothing was delivered');
  await agency.transferOwnership();
  const before = service.recorded;
  const { commands } = service.services;
  expect(await codeOf(agency.rotate(id))).toBe('agency_key_reissue_required');
  for (const command of [
    new TestEndpoint(id, operator()),
    new EnableEndpoint(id, operator()),
    new ReplayDelivery(deliveryId, operator()),
  ]) {
    expect(await codeOf(commands.execute(command))).toBe('agency_key_reissue_required');
  }
  expect(service.recorded).toBe(before);
  receiver.forget();
});
