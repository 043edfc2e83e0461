import { markBuildInUse } from '../../service/src/build-in-use.js';
import { exitIfAskedForVersion } from '../../service/src/build-info.js';
import { STOP_SIGNALS } from '../../service/src/signals.js';
import { startOrExit } from '../../service/src/start-or-exit.js';
import { startSandbox } from './index.js';
import { sandboxConfigOrExit } from './sandbox-config.js';

exitIfAskedForVersion();
markBuildInUse();
const config = sandboxConfigOrExit(process.env);
const starting = startOrExit(() => startSandbox({ ...config, demo: true }), { SANDBOX_PORT: config.port });

// As process 1 of a container it would ignore signals that it does not handle, also while it starts.
for (const signal of STOP_SIGNALS) {
  process.once(signal, () => void starting.then((sandbox) => sandbox.close()).then(() => process.exit(0)));
}
process.stdout.on('error', () => undefined);
const { url, token } = await starting;
process.stdout.write(`${JSON.stringify({ url, token })}\n`);
