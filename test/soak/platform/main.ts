import { startSandbox } from '../../../apps/platform-sandbox/src/index.js';
import { sendToParent, settingsOf } from '../../support/child-process.js';

export interface PlatformReady {
  readonly url: string;
  readonly token: string;
}

await settingsOf<object>();
const { url, token } = await startSandbox({ token: 'soak' });
sendToParent({ url, token } satisfies PlatformReady);
