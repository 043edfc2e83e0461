import { sendToParent, settingsOf } from '../../support/child-process.js';
import type { SandboxReady } from './sandbox.js';
import { openBenchService } from './service.js';

export interface OpenApiSettings {
  readonly dir: string;
  readonly sandbox: SandboxReady;
}

/** The API alone on a data directory, with empty caches. */
const { dir, sandbox } = await settingsOf<OpenApiSettings>();
const service = await openBenchService(dir, 'durable', sandbox);
const { url } = await service.startApi();
sendToParent({ url });
