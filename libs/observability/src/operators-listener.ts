import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from './metrics.js';

export interface OperatorsListener {
  readonly url: string;
  close(): Promise<void>;
}

export const startOperatorsListener = async (
  metrics: Metrics,
  host: string,
  port: number,
  health: () => object = () => ({}),
): Promise<OperatorsListener> => {
  metrics.watchProcess();
  const server = createServer((request, response) => {
    const [path] = (request.url ?? '').split('?', 1);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead && path === '/health') {
      const body = JSON.stringify({ status: 'ok', ...health() });
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
      return;
    }
    if (!isRead || path !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    metrics.registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(text),
      () => response.writeHead(503).end(),
    );
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  const { port: actual } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${actual}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
