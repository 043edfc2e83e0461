import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { agencyId, type CommandContext, newEventId, Trail } from '#kernel';
import { run, type Services } from '../../composition/src/index.js';
import { startSandbox } from '../../platform-sandbox/src/index.js';
import { writeDemo } from './demo-file.js';
import { startStandalone } from './standalone.js';

const DEMO_AGENCY = agencyId('agency_demo');

if (process.env.NODE_ENV === 'production') {
  process.stderr.write(
    'npm start runs the sandbox platform, which is not for production: use npm run start:standalone.\n',
  );
  process.exit(1);
}

const { DATA_DIR = './data', SANDBOX_HOST = '127.0.0.1', SANDBOX_PORT = '4010' } = process.env;
const token = process.env.SANDBOX_TOKEN ?? randomBytes(16).toString('hex');
const sandbox = await startSandbox({
  host: SANDBOX_HOST,
  port: Number(SANDBOX_PORT),
  token,
  file: join(DATA_DIR, 'sandbox.db'),
  demo: true,
});
Object.assign(process.env, {
  NATIVE_PLATFORM_URL: sandbox.url,
  NATIVE_PLATFORM_TOKEN: token,
  SCAN_ENGINE_URL: sandbox.url,
  SCAN_ENGINE_TOKEN: token,
  DEINDEX_PROVIDER_URL: sandbox.url,
  DEINDEX_PROVIDER_TOKEN: token,
  LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
});

await run(async (services, config, logger) => {
  const standalone = await startStandalone(services, config, logger);
  const key = await issueDemoKey(services);
  writeDemo(config.dataDir, { url: standalone.url, key });
  process.stdout.write(welcome(standalone.url, key));
  return {
    async stop() {
      await standalone.stop();
      await sandbox.close();
    },
  };
});

async function issueDemoKey({ accounts }: Services): Promise<string> {
  const context: CommandContext = {
    actor: 'operator:npm-start',
    correlationId: newEventId(),
    causationId: null,
    workspaceId: null,
    trail: new Trail(),
  };
  await accounts.bind(DEMO_AGENCY, context);
  const { secret } = await accounts.issueKey(
    DEMO_AGENCY,
    { preset: 'read_write', name: 'npm start', lifetime: '30d' },
    context,
  );
  return secret;
}

function welcome(url: string, key: string): string {
  return `
The Creator Protection Agency API listens at ${url}
for the demo agency of the sandbox platform at ${sandbox.url}.

A key for this agency, shown this once:
  ${key}

Try it:
  curl -i -H 'Authorization: Bearer ${key}' ${url}/v1/me

Watch the main job, from enrolling a creator to reading the findings, in another terminal:
  npm run demo

`;
}
