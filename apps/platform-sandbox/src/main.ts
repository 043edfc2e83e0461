import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { cleanEnv, makeValidator, str } from 'envalid';
import { startSandbox } from './index.js';

/** 0 is any free port; envalid's own validator refuses it. */
const port = makeValidator((text) => {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new Error('a port is 0 to 65535');
  return Number(text);
});

const env = cleanEnv(process.env, {
  NODE_ENV: str({ default: 'development' }),
  SANDBOX_HOST: str({ default: '127.0.0.1' }),
  SANDBOX_PORT: port({ default: 4010 }),
  SANDBOX_TOKEN: str({ default: '' }),
  DATA_DIR: str({ default: './data' }),
});

if (env.NODE_ENV === 'production') {
  process.stderr.write('The platform sandbox is a stand-in: it does not start under NODE_ENV=production.\n');
  process.exit(1);
}

const sandbox = await startSandbox({
  host: env.SANDBOX_HOST,
  port: env.SANDBOX_PORT,
  token: env.SANDBOX_TOKEN || randomBytes(24).toString('base64url'),
  file: join(env.DATA_DIR, 'sandbox.db'),
  demo: true,
});

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => void sandbox.close().then(() => process.exit(0)));
}
process.stdout.write(`${JSON.stringify({ url: sandbox.url, token: sandbox.token })}\n`);
