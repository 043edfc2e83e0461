import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { CommandBus } from '@nestjs/cqrs';
import { BindAgency, IssueKey } from '#agencies';
import {
  DASHBOARD_CLIENT,
  IDENTITY_PATH,
  sandboxConfigOrExit,
  startSandbox,
} from '../../platform-sandbox/src/index.js';
import { exitIfAskedForVersion, startOrExit } from '../../service/src/process.js';
import { run } from '../../service/src/run.js';
import { DEMO_AGENCY } from './demo-agency.js';
import { DemoClock } from './demo-clock.js';
import { writeDemo } from './demo-file.js';
import { HISTORY, writeHistory } from './demo-history.js';
import { contextOf } from './demo-past.js';
import { startStandalone } from './standalone.js';

exitIfAskedForVersion();
const sandboxConfig = sandboxConfigOrExit(process.env);
const isFirstStart = isEmpty(dirname(sandboxConfig.file));
const clock = new DemoClock(isFirstStart ? HISTORY : 0);
const sandbox = await startOrExit(() => startSandbox({ ...sandboxConfig, demo: true, now: clock.now }), {
  SANDBOX_PORT: sandboxConfig.port,
});
const { url, token } = sandbox;
if (process.env.OIDC_ISSUER_URL === undefined) Object.assign(process.env, await dashboardVariables(process.env));
Object.assign(process.env, {
  NATIVE_PLATFORM_URL: url,
  NATIVE_PLATFORM_TOKEN: token,
  SCAN_ENGINE_URL: url,
  SCAN_ENGINE_TOKEN: token,
  DEINDEX_PROVIDER_URL: url,
  DEINDEX_PROVIDER_TOKEN: token,
});
// The demo shows amounts, sends webhooks to the sandbox, and does not scan all creators again after each start.
process.env.LOG_LEVEL ??= 'warn';
process.env.PRICE_PER_CREATOR_MONTH_CENTS ??= '4900';
process.env.WEBHOOK_TARGETS ??= 'any';
process.env.SCAN_SCHEDULE_EVERY ??= '7d';

await run(async (setup) => {
  if (isFirstStart) {
    process.stdout.write('This folder is empty: writing a month of history for the demo agency.\n');
    await writeHistory(setup, sandbox, clock);
  }
  const standalone = await startStandalone(setup);
  const key = await issueDemoKey(standalone.app.get(CommandBus, { strict: false }));
  writeDemo(setup.config.dataDir, { url: standalone.url, key });
  process.stdout.write(welcome(standalone.url, key, setup.config.dashboardUrl));
  return {
    app: standalone.app,
    async stop() {
      await standalone.stop();
      await sandbox.close();
    },
  };
});

/** Stores elsewhere may have data although the folder is empty. They require a master key that is given. */
function isEmpty(folder: string): boolean {
  const isElsewhere = Object.keys(process.env).some((name) => name.startsWith('MASTER_KEY'));
  return !isElsewhere && (!existsSync(folder) || readdirSync(folder).length === 0);
}

async function issueDemoKey(commands: CommandBus): Promise<string> {
  const context = contextOf('operator:npm-start');
  await commands.execute(new BindAgency(DEMO_AGENCY, context));
  const { secret } = await commands.execute(
    new IssueKey(DEMO_AGENCY, { preset: 'read_write', name: 'npm start', lifetime: '30d' }, context),
  );
  return secret;
}

/** The dashboard with the sandbox's identity provider, which has to know the address: a free port is chosen here. */
async function dashboardVariables({ HOST = '127.0.0.1', PORT = '3000', DASHBOARD_URL }: NodeJS.ProcessEnv) {
  const port = PORT === '0' ? await freePort() : PORT;
  const host = HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST;
  return {
    PORT: String(port),
    DASHBOARD_URL: DASHBOARD_URL ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}/dashboard`,
    OIDC_ISSUER_URL: url + IDENTITY_PATH,
    OIDC_CLIENT_ID: DASHBOARD_CLIENT.id,
    OIDC_CLIENT_SECRET: DASHBOARD_CLIENT.secret,
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function welcome(apiUrl: string, key: string, dashboardUrl: string | undefined): string {
  return `
The Creator Protection Agency API listens at ${apiUrl}
for the demo agency of the sandbox platform at ${url}.

The agency's dashboard, where you choose a person to sign in as:
  ${dashboardUrl}

A key for this agency, shown only once:
  ${key}

Try it:
  curl -i -H 'Authorization: Bearer ${key}' ${apiUrl}/v1/me

Watch the main job, from enrolling a creator to reading the findings, in another terminal:
  npm run demo

To use this platform with the operators' tool, and for its controls under /_sandbox:
  export NATIVE_PLATFORM_URL=${url} NATIVE_PLATFORM_TOKEN=${token}

`;
}
