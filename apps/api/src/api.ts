import { type INestApplicationContext, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { RequestLog } from '#dashboard';
import { publicAddress, refuseStandIns } from '#http';
import { type Duration, LanePositions } from '#kernel';
import { DashboardModule } from '../../dashboard/src/dashboard.module.js';
import type { Running, Setup } from '../../service/src/run.js';
import { ApiModule } from './api.module.js';
import { ApiKeyGate } from './http/transport/access/api-key-gate.js';
import { KeyFollower } from './http/transport/access/key-follower.js';
import type { ConnectionLimits } from './http/transport/connections.js';
import { readYourWrites } from './http/transport/read-your-writes.js';
import { noteServedRequests } from './http/transport/served-requests.js';
import { createTransport } from './http/transport/transport.js';
import { serveDocument } from './openapi/serve-document.js';

export interface Api extends Running {
  readonly url: string;
}

export interface ApiApp {
  readonly app: INestApplicationContext;
  listen(address: { readonly host: string; readonly port: number }): Promise<Api>;
}

/** How long startup waits until all keys are known, in milliseconds. Unknown keys are looked up when they are used. */
const KEYS_READ_TIMEOUT: Duration = 2_000;

@Module({})
class ApiRoot {}

/** Creates an app with HTTP, without starting it. `others` run in the same app. */
export const createApi = async (
  { service, config, logger, metrics }: Setup,
  others: readonly Type[] = [],
  limits?: ConnectionLimits,
): Promise<ApiApp> => {
  const root = { module: ApiRoot, imports: [service, ApiModule, DashboardModule.forRoot(config), ...others] };
  // The transport is created before the container; it needs the gate only when requests arrive.
  const transport = createTransport(logger, metrics, () => gate, config, limits);
  const app: NestFastifyApplication = await NestFactory.create<NestFastifyApplication>(root, transport, {
    logger: false,
    bodyParser: false,
    abortOnError: false,
  });
  const gate = app.get(ApiKeyGate, { strict: false });
  readYourWrites(transport.getInstance(), app.get(LanePositions));
  refuseStandIns(transport.getInstance());
  noteServedRequests(transport.getInstance(), app.get(RequestLog, { strict: false }));
  return {
    app,
    async listen({ host, port }) {
      serveDocument(app, config);
      await app.init();
      await app.get(KeyFollower, { strict: false }).start(KEYS_READ_TIMEOUT);
      // Fastify would listen on each address of the host name, with servers that the code above does not know.
      await app.listen(port, host === 'localhost' ? '127.0.0.1' : host);
      const url = publicAddress(undefined, app.getHttpServer());
      return { app, url, stop: () => app.close() };
    },
  };
};
