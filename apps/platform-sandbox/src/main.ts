import { exitIfAskedForVersion, markBuildInUse, STOP_SIGNALS, startOrExit } from '../../service/src/process.js';
import { startSandbox } from './index.js';
import { sandboxConfigOrExit } from './sandbox-config.js';

exitIfAskedForVersion();
markBuildInUse();
const config = sandboxConfigOrExit(process.env);
const starting = startOrExit(() => startSandbox({ ...config, demo: true }), { SANDBOX_PORT: config.port });

// As PID 1 of a container, a process ignores signals that it does not handle, even while it starts.
for (const signal of STOP_SIGNALS) {
  process.once(signal, () => void starting.then((sandbox) => sandbox.close()).then(() => process.exit(0)));
}
process.stdout.on('error', () => undefined);
const { url, token } = await starting;
process.stdout.write(`${JSON.stringify({ url, token })}\n`);
