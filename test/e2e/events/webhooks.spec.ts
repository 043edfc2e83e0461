import { expect, test } from '@jest/globals';
import { MINUTE, SECOND } from '#kernel';
import { ListEndpoints } from '#webhooks';
import { isSigned, isStandardSigned, Receiver } from '../support/receiver.js';
import { startService } from '../support/start-service.js';

const service = await startService({ env: { WEBHOOK_TARGETS: 'any' } });

/** The bytes of each event, as they stand in the feed's page. */
const bytesOf = ({ text }: { text: string }): string[] =>
  text.slice('{"data":['.length, text.indexOf('],"next_cursor"')).split(/,(?=\{"id":"evt_)/);

/** An agency with a receiver that gets its events. */
const listening = async () => {
  const agency = await service.agency();
  const receiver = await Receiver.start();
  return { agency, receiver, ...(await agency.endpoint(receiver.url)) };
};

test('an event is posted with its id, a signature and the bytes of the feed (spec 3, 4; D58)', async () => {
  const { agency, receiver, secret } = await listening();
  await agency.active();
  await service.quiet();
  const feed = bytesOf(await agency.api.get('/v1/events'));
  expect(feed).toHaveLength(2);
  expect(receiver.received.map(({ body }) => body.toString()).toSorted()).toEqual(feed.toSorted());
  for (const received of receiver.received) {
    expect(received).toMatchObject({ method: 'POST', path: '/hook?of=agency' });
    expect(received.headers).toMatchObject({
      'content-type': 'application/json',
      'x-svc-event-id': JSON.parse(received.body.toString()).id,
      'x-svc-signature': expect.stringMatching(/^t=\d+,v1=[0-9a-f]{64}$/),
    });
    expect(isSigned(received, secret, service.clock.now())).toBe(true);
    expect(isStandardSigned(received, secret)).toBe(true);
  }
  expect(await agency.deliveries()).toMatchObject([
    { status: 'delivered', attempts: 1, lastStatus: 200, lastError: null },
    { status: 'delivered', attempts: 1, lastStatus: 200, lastError: null },
  ]);
});

test('the event can be read in the feed before its first attempt (D58)', async () => {
  const { agency, receiver } = await listening();
  const inFeed: Promise<boolean>[] = [];
  receiver.answersBy((response, { body }) => {
    const { id } = JSON.parse(body.toString());
    inFeed.push(agency.api.events().then((events) => events.some((event) => event.id === id)));
    response.writeHead(204).end();
  });
  await agency.active();
  await service.quiet();
  expect(await Promise.all(inFeed)).toEqual([true, true]);
});

test('the secret is whsec_ and 256 bits, and is neither in the log nor in a document (D61)', async () => {
  const { agency, secret, id } = await listening();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const events = await service.services.log.readStream(`webhookEndpoint-${id}`);
  expect(JSON.stringify(events)).not.toContain(secret.slice('whsec_'.length));
  expect(JSON.stringify(await service.services.queries.execute(new ListEndpoints(agency.id)))).not.toContain('ecret');
});

test('each endpoint of the agency gets each event, and another agency’s gets none', async () => {
  const { agency, receiver } = await listening();
  const second = await Receiver.start();
  await agency.endpoint(second.url);
  const other = await listening();
  await agency.active();
  await service.quiet();
  expect(second.eventIds.toSorted()).toEqual(receiver.eventIds.toSorted());
  expect(receiver.eventIds).toHaveLength(2);
  expect(other.receiver.received).toEqual([]);
});

test('a delivery fails after five attempts: immediately, after 1 minute, 10 minutes, 1 hour, 6 hours, each ±20 % (D60)', async () => {
  const { agency, receiver } = await listening();
  receiver.answers(500);
  await agency.linked();
  const started = service.clock.now();
  const waits: number[] = [];
  for (let attempts = 1; attempts < 5; attempts++) {
    const [delivery] = await agency.deliveries('pending');
    expect(delivery).toMatchObject({ attempts, lastStatus: 500, lastError: 'refused' });
    waits.push((delivery?.at ?? 0) - service.clock.now());
    await service.pass((delivery?.at ?? 0) - service.clock.now() - 1);
    expect(receiver.received).toHaveLength(attempts);
    await service.pass(1);
    expect(receiver.received).toHaveLength(attempts + 1);
  }
  for (const [index, planned] of [1, 10, 60, 360].entries()) {
    expect(waits[index]).toBeGreaterThanOrEqual(0.8 * planned * MINUTE);
    expect(waits[index]).toBeLessThanOrEqual(1.2 * planned * MINUTE);
  }
  expect(await agency.deliveries()).toMatchObject([{ status: 'failed', attempts: 5, lastStatus: 500 }]);
  expect(new Set(receiver.eventIds).size).toBe(1);
  expect(new Set(receiver.received.map(({ body }) => body.toString())).size).toBe(1);
  const signatures = receiver.received.map(({ headers }) => headers['x-svc-signature']);
  expect(new Set(signatures).size).toBe(5);
  expect(signatures[0]).toContain(`t=${Math.floor(started / SECOND)},`);
  expect(signatures[4]).toContain(`t=${Math.floor(service.clock.now() / SECOND)},`);
});

test('each attempt names the previous one as its cause, and the original request as its correlation', async () => {
  const { agency, receiver } = await listening();
  receiver.answers(500);
  await agency.linked();
  const [pending] = await agency.deliveries('pending');
  receiver.answers(204);
  await service.pass((pending?.at ?? 0) - service.clock.now());
  const [delivery] = await agency.deliveries('delivered');
  const [scheduled, failed, delivered] = await service.services.log.readStream(`webhookDelivery-${delivery?.id}`);
  expect(failed?.metadata).toMatchObject({ causationId: scheduled?.id, actor: 'process:webhooks' });
  expect(delivered?.metadata).toMatchObject({ causationId: failed?.id, actor: 'process:webhooks' });
  const [published] = await service.services.log.readStream(`eventFeed-${agency.workspaceId}`);
  const { correlationId } = published?.metadata ?? {};
  for (const event of [scheduled, failed, delivered]) expect(event?.metadata.correlationId).toBe(correlationId);
});

test('replacing an API key replaces no signing secret (spec 9)', async () => {
  const { agency, receiver, secret } = await listening();
  await agency.revokeKey(agency.keyId);
  const { api } = await agency.issueKey();
  await api.enroll(agency.linkBody(await agency.user()));
  await service.quiet();
  expect(receiver.received.map((received) => isSigned(received, secret, service.clock.now()))).toEqual([true]);
});
