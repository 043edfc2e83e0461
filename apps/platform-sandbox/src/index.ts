import { addDemoData } from './demo/demo-data.js';
import { buildServer } from './http/server.js';
import { SandboxCore } from './sandbox-core.js';
import { RecordFile } from './state/collection.js';
import { World } from './state/world.js';

export type { LoggedCall } from './calls/call-log.js';
export { SandboxClient } from './client.js';
export { DASHBOARD_CLIENT, IDENTITY_PATH } from './identity/provider.js';
export { sandboxConfigOrExit } from './sandbox-config.js';
export type { Effects } from './state/records.js';

export interface SandboxOptions {
  /** Default 127.0.0.1. */
  host?: string;
  /** Default 0: any free port. */
  port?: number;
  token: string;
  /** Undefined: in memory. */
  file?: string | undefined;
  /** Fills an empty state with the agency `agency_demo`; submissions then advance automatically. */
  demo?: boolean;
  /** Default 4000. A control changes it, and that outlives a restart. */
  scanDurationMs?: number;
  /** Epoch milliseconds; default `Date.now`. */
  now?: () => number;
}

export interface Sandbox {
  url: string;
  token: string;
  /** Destroys open connections, including those that hang. */
  close(): Promise<void>;
}

/** Serves the native platform contract, and the controls under `/_sandbox`, until closed. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { host = '127.0.0.1', port = 0, token, file, demo = false, scanDurationMs = 4000, now = Date.now } = options;
  const records = file === undefined ? undefined : new RecordFile(file);
  const world = new World(records, now, {
    scan_duration_ms: scanDurationMs,
    deindex_step_ms: demo ? scanDurationMs : null,
  });
  if (demo && world.agencies.size === 0) addDemoData(world);
  world.commit();
  const core = new SandboxCore(world);
  const app = buildServer(core, token);
  const url = await app.listen({ host, port });
  return {
    url,
    token,
    async close() {
      core.closing.abort();
      await app.close();
      records?.close();
    },
  };
}
