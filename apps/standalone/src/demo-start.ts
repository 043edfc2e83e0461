import { CommandBus } from '@nestjs/cqrs';
import { BindAgency, IssueKey } from '#agencies';
import { agencyId, type CommandContext, ConsistencyToken, newEventId } from '#kernel';
import { sandboxConfigOrExit, startSandbox } from '../../platform-sandbox/src/index.js';
import { run } from '../../service/src/run.js';
import { writeDemo } from './demo-file.js';
import { startStandalone } from './standalone.js';

const DEMO_AGENCY = agencyId('agency_demo');

const sandbox = await startSandbox({ ...sandboxConfigOrExit(process.env), demo: true });
const { url, token } = sandbox;
Object.assign(process.env, {
  NATIVE_PLATFORM_URL: url,
  NATIVE_PLATFORM_TOKEN: token,
  SCAN_ENGINE_URL: url,
  SCAN_ENGINE_TOKEN: token,
  DEINDEX_PROVIDER_URL: url,
  DEINDEX_PROVIDER_TOKEN: token,
  LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
});

await run(async (setup) => {
  const standalone = await startStandalone(setup);
  const key = await issueDemoKey(standalone.app.get(CommandBus, { strict: false }));
  writeDemo(setup.config.dataDir, { url: standalone.url, key });
  process.stdout.write(welcome(standalone.url, key));
  return {
    app: standalone.app,
    async stop() {
      await standalone.stop();
      await sandbox.close();
    },
  };
});

async function issueDemoKey(commands: CommandBus): Promise<string> {
  const context: CommandContext = {
    actor: 'operator:npm-start',
    correlationId: newEventId(),
    causationId: null,
    workspaceId: null,
    consistencyToken: new ConsistencyToken(),
  };
  await commands.execute(new BindAgency(DEMO_AGENCY, context));
  const { secret } = await commands.execute(
    new IssueKey(DEMO_AGENCY, { preset: 'read_write', name: 'npm start', lifetime: '30d' }, context),
  );
  return secret;
}

function welcome(apiUrl: string, key: string): string {
  return `
The Creator Protection Agency API listens at ${apiUrl}
for the demo agency of the sandbox platform at ${url}.

A key for this agency, shown this once:
  ${key}

Try it:
  curl -i -H 'Authorization: Bearer ${key}' ${apiUrl}/v1/me

Watch the main job, from enrolling a creator to reading the findings, in another terminal:
  npm run demo

For the operators' tool to ask this platform too, and for its controls under /_sandbox:
  export NATIVE_PLATFORM_URL=${url} NATIVE_PLATFORM_TOKEN=${token}

`;
}
