import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { HOUR, MINUTE, newId } from '#kernel';
import { eventually, FakeClock, Gate } from '#testing';
import { checkedAddresses } from './checked-addresses.js';
import { pinnedConnector } from './pinned-connector.js';
import { TargetPool } from './target-pool.js';
import { ANY_TARGETS } from './target-rules.js';
import { Receiver } from './testing/receiver.js';

let receiver: Receiver;
const open: TargetPool[] = [];

beforeEach(async () => {
  receiver = await Receiver.start();
});

afterEach(async () => {
  await Promise.all(open.splice(0).map((pool) => pool.close()));
  await receiver.close();
});

const aPool = (maxConnectionAge: number) => {
  const addressesOf = checkedAddresses(ANY_TARGETS, () => Promise.reject(new Error('no name is asked for')));
  const connect = pinnedConnector(addressesOf, { timeout: MINUTE });
  const url = new URL(`http://127.0.0.1:${receiver.port}/hooks`);
  const pool = new TargetPool(url, { connect, clock: new FakeClock(0), timeout: MINUTE, maxConnectionAge });
  open.push(pool);
  return pool;
};
const send = (pool: TargetPool) =>
  pool.send({ endpointId: newId('webhookEndpoint'), url: '', body: Buffer.from('{}'), headers: {} });

/** Sends ten requests, one after another, and counts their connections. */
const connectionsOfTen = async (pool: TargetPool) => {
  const before = receiver.connections;
  for (let n = 0; n < 10; n++) {
    expect(await send(pool)).toEqual({ status: 204, error: null });
    await eventually(() => pool.isIdle);
  }
  return receiver.connections - before;
};

it('sends over a connection that it has, until that is too old', async () => {
  // A second one, where undici has not yet taken the first back.
  expect(await connectionsOfTen(aPool(HOUR))).toBeLessThanOrEqual(2);
  expect(await connectionsOfTen(aPool(0))).toBe(10);
});

it('finishes requests on an old connection there', async () => {
  const pool = aPool(0);
  const { reaction } = receiver;
  const gate = new Gate();
  receiver.reaction = (socket, received) => void gate.opened.then(() => reaction(socket, received));
  const first = send(pool);
  await eventually(() => receiver.requests.length === 1);
  const second = send(pool);
  await eventually(() => receiver.requests.length === 2);
  gate.open();
  expect(await Promise.all([first, second])).toMatchObject([{ status: 204 }, { status: 204 }]);
  expect(receiver.connections).toBe(2);
});
