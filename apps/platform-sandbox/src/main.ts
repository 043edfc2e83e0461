import { markBuildInUse } from '../../service/src/build-in-use.js';
import { startSandbox } from './index.js';
import { sandboxConfigOrExit } from './sandbox-config.js';

markBuildInUse();
const sandbox = await startSandbox({ ...sandboxConfigOrExit(process.env), demo: true });

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => void sandbox.close().then(() => process.exit(0)));
}
process.stdout.write(`${JSON.stringify({ url: sandbox.url, token: sandbox.token })}\n`);
