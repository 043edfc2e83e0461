import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sendToParent, settingsOf } from '../../support/child-process.js';
import type { AgencyPlan } from './people.js';
import { SoakPlatform } from './soak-platform.js';

export interface PlatformReady {
  readonly url: string;
}

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
};

const platform = new SoakPlatform(await settingsOf<readonly AgencyPlan[]>());
const server = createServer(async (request, response) => {
  const url = new URL(request.url ?? '/', 'http://platform');
  const body = await textOf(request);
  const answer = platform.answer({
    method: request.method ?? 'GET',
    path: url.pathname.split('/').slice(1).map(decodeURIComponent),
    query: url.searchParams,
    key: String(request.headers['idempotency-key'] ?? ''),
    body: body === '' ? {} : (JSON.parse(body) as Record<string, unknown>),
  });
  response.writeHead(answer.status, { 'content-type': 'application/json' });
  response.end(answer.json ?? (answer.body === undefined ? undefined : JSON.stringify(answer.body)));
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  sendToParent({ url } satisfies PlatformReady);
});
process.on('message', () => sendToParent([...platform.walked]));
