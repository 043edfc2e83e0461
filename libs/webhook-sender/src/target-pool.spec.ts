import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { HOUR, MINUTE, newId } from '#kernel';
import { eventually, FakeClock } from '#testing';
import { checkedAddresses } from './checked-addresses.js';
import { pinnedConnector } from './pinned-connector.js';
import { TargetPool } from './target-pool.js';

let server: Server;
let connections = 0;
let held: ServerResponse[] = [];
let isHolding = false;
const open: TargetPool[] = [];

beforeEach(async () => {
  connections = 0;
  held = [];
  isHolding = false;
  server = createServer((request, response) => {
    request.resume();
    if (isHolding) held.push(response);
    else response.writeHead(204).end();
  });
  server.on('connection', () => connections++);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(async () => {
  await Promise.all(open.splice(0).map((pool) => pool.close()));
  server.closeAllConnections();
  server.close();
});

const aPool = (maxConnectionAge: number) => {
  const rules = { urlProblem: () => undefined, addressProblem: () => undefined };
  const addressesOf = checkedAddresses(rules, () => Promise.reject(new Error('no name is asked for')));
  const connect = pinnedConnector(addressesOf, { timeout: MINUTE });
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`);
  const pool = new TargetPool(url, { connect, clock: new FakeClock(0), timeout: MINUTE, maxConnectionAge });
  open.push(pool);
  return pool;
};
const send = (pool: TargetPool) =>
  pool.send({ endpointId: newId('webhookEndpoint'), url: '', body: Buffer.from('{}'), headers: {} });

/** One after another. */
const sendTen = async (pool: TargetPool) => {
  for (let n = 0; n < 10; n++) {
    expect(await send(pool)).toEqual({ kind: 'delivered', status: 204 });
    await eventually(() => pool.isIdle);
  }
};

it('sends over a connection that it has, until that is too old', async () => {
  const young = aPool(HOUR);
  await sendTen(young);
  // A second one, where undici has not yet taken the first back.
  expect(connections).toBeLessThanOrEqual(2);
  connections = 0;
  const old = aPool(0);
  await sendTen(old);
  expect(connections).toBe(10);
});

it('finishes requests on an old connection there', async () => {
  const pool = aPool(0);
  isHolding = true;
  const first = send(pool);
  await eventually(() => held.length === 1);
  const second = send(pool);
  await eventually(() => held.length === 2);
  for (const response of held) response.writeHead(200).end();
  expect(await Promise.all([first, second])).toEqual([
    { kind: 'delivered', status: 200 },
    { kind: 'delivered', status: 200 },
  ]);
  expect(connections).toBe(2);
});
