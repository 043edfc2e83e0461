import type { DynamicModule, INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Duration, Logger } from '#kernel';
import type { Services } from '../../composition/src/index.js';
import { ApiModule } from './api.module.js';
import { Admission } from './http/admission.js';
import type { ConnectionLimits } from './http/connections.js';
import { KeyFollower } from './http/key-follower.js';
import { readYourWrites } from './http/read-your-writes.js';
import { refuseStandIns } from './http/stand-ins.js';
import { createTransport } from './http/transport.js';
import { serveDocument } from './openapi/document.js';

export interface Api {
  /** Where it listens, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  readonly app: INestApplicationContext;
  /** Takes no new requests, and waits for those under way. */
  close(): Promise<void>;
}

export interface ApiOptions {
  readonly limits?: ConnectionLimits | undefined;
  /** What the application is made of; it imports `ApiModule`. */
  readonly root?: DynamicModule;
}

/** How long a start may wait until all keys are known, in milliseconds; those that are not are looked up when they come. */
const KEYS_READ_WITHIN: Duration = 2_000;

export const startApi = async (
  services: Services,
  { host, port }: { readonly host: string; readonly port: number },
  logger: Logger,
  { limits, root = ApiModule.over(services, logger) }: ApiOptions = {},
): Promise<Api> => {
  const keys = new KeyFollower(services.log, logger);
  const transport = createTransport(logger, services.metrics, new Admission(services, keys.known), limits);
  readYourWrites(transport.getInstance(), services.progress);
  refuseStandIns(transport.getInstance());
  const app = await NestFactory.create<NestFastifyApplication>(root, transport, {
    logger: false,
    bodyParser: false,
    abortOnError: false,
  });
  services.erasures.start(logger);
  serveDocument(app, services.config.dashboardUrl);
  await app.init();
  await keys.start(KEYS_READ_WITHIN);
  // Fastify would listen on each address of the name, with servers that nothing of the above knows.
  await app.listen(port, host === 'localhost' ? '127.0.0.1' : host);
  const address = app.getHttpServer().address();
  const actual = typeof address === 'object' && address !== null ? address.port : port;
  const close = async () => {
    await app.close();
    await keys.stop();
  };
  return { app, url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}`, close };
};
