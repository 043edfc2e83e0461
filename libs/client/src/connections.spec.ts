import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { fetch as undici } from 'undici';
import { CreatorProtection } from './client.js';
import type { FetchLike } from './options.js';
import { KEY } from './scripted-service.fixtures.js';

type Answering = (response: ServerResponse, request: IncomingMessage) => unknown;

const OK: Answering = (response) =>
  response.writeHead(202, { 'content-type': 'application/json', 'x-svc-mode': 'live' }).end('{"id":"scn_1"}');

const close = async (server: ReturnType<typeof createServer>) => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
};
let stop = async () => {};
afterEach(() => stop());

/** A server whose answers break in turn, and what it has received in full. */
const brokenServer = async (...answers: Answering[]) => {
  const received: string[] = [];
  const server = createServer(async (request, response) => {
    const { 'idempotency-key': key } = request.headers;
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push(`${request.method} ${key} ${body}`);
    (answers.shift() ?? OK)(response, request);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  stop = () => close(server);
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}`, received };
};

it('takes the fetch of undici, and a function around it (D117)', async () => {
  const { baseUrl, received } = await brokenServer();
  const fetches: FetchLike[] = [undici, (url, init) => undici(url, init)];
  for (const fetch of fetches) {
    const client = new CreatorProtection({ baseUrl, apiKey: KEY, fetch });
    const { data, response } = await client.scans.queue('crt_1', { idempotencyKey: 'ключ' }).withResponse();
    expect([data, await response.json(), response.status]).toEqual([{ id: 'scn_1' }, { id: 'scn_1' }, 202]);
  }
  const key = Buffer.from('ключ').toString('latin1');
  expect(received).toEqual([`POST ${key} {}`, `POST ${key} {}`]);
});

describe('a call is repeated with the same key and bytes, when', () => {
  it.each<[string, Answering]>([
    ['the connection closes before the answer', (response) => response.destroy()],
    [
      'the answer breaks off within its body',
      (response) => {
        response.writeHead(202, { 'content-type': 'application/json', 'content-length': 100, 'x-svc-mode': 'live' });
        response.write('{"id":', () => response.destroy());
      },
    ],
    ['the connection is reset', (_response, request) => request.socket.resetAndDestroy()],
    ['what comes is no HTTP', (_response, request) => request.socket.end('hello\r\n\r\n')],
    ['nothing comes', () => undefined],
  ])('%s', async (_what, broken) => {
    const { baseUrl, received } = await brokenServer(broken, broken);
    const client = new CreatorProtection({ baseUrl, apiKey: KEY, timeout: 500 });
    expect(await client.scans.queue('crt_1', { idempotencyKey: 'k' })).toEqual({ id: 'scn_1' });
    // More than three where a busy machine is slower than the timeout.
    expect([received.length >= 3, new Set(received)]).toEqual([true, new Set(['POST k {}'])]);
  });

  it('the service starts a moment later', async () => {
    const { baseUrl } = await brokenServer();
    await stop();
    const { port } = new URL(baseUrl);
    const server = createServer((request, response) => OK(response, request));
    const onRetry = () => server.listening || server.listen(Number(port), '127.0.0.1');
    stop = () => close(server);
    const client = new CreatorProtection({ baseUrl, apiKey: KEY, onRetry });
    expect(await client.scans.queue('crt_1')).toEqual({ id: 'scn_1' });
  });
});
