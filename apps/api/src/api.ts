import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from '#kernel';
import type { Services } from '../../composition/src/index.js';
import { ApiModule } from './api.module.js';
import { Admission } from './http/admission.js';
import { readYourWrites } from './http/read-your-writes.js';
import { createTransport } from './http/transport.js';
import { serveDocument } from './openapi/document.js';

export interface Api {
  /** Where it listens, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Takes no new requests, and waits for those under way. */
  close(): Promise<void>;
}

export const startApi = async (
  services: Services,
  { host, port }: { readonly host: string; readonly port: number },
  logger: Logger,
): Promise<Api> => {
  const transport = createTransport(logger, services.metrics, new Admission(services));
  readYourWrites(transport.getInstance(), services.progress);
  const app = await NestFactory.create<NestFastifyApplication>(ApiModule.over(services, logger), transport, {
    logger: false,
    bodyParser: false,
    abortOnError: false,
  });
  serveDocument(app, services.config.dashboardUrl);
  await app.listen(port, host);
  const address = app.getHttpServer().address();
  const actual = typeof address === 'object' && address !== null ? address.port : port;
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}`, close: () => app.close() };
};
