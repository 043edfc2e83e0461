import { SandboxClient, startSandbox } from '../../../apps/platform-sandbox/src/index.js';
import { sendToParent, settingsOf } from '../../support/child-process.js';

export interface SandboxSettings {
  readonly agencyId: string;
  readonly creators: number;
  /** As many as creators where it is left out. */
  readonly slots?: number;
}

export interface SandboxReady {
  readonly url: string;
  readonly token: string;
  readonly userIds: readonly string[];
}

/** The platform, in memory, with one agency and as many creators as are asked for. Its scans do not end. */
const { agencyId, creators, slots = creators } = await settingsOf<SandboxSettings>();
const sandbox = await startSandbox({ token: 'bench' });
const client = new SandboxClient(sandbox);
await client.control('PATCH', '/settings', { scan_auto: false });
await client.control('PATCH', `/agencies/${agencyId}`, { total_slots: slots });
const profiles = [{ platform: 'instagram', username: 'bench' }];
const made = { count: creators, display_name: 'Jane Example', profiles, api_slot: true };
const { user_ids } = await client.control<{ user_ids: string[] }>('POST', `/agencies/${agencyId}/creators`, made);
sendToParent({ url: sandbox.url, token: sandbox.token, userIds: user_ids } satisfies SandboxReady);
