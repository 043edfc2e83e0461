import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { customCleanEnv, makeValidator, str } from 'envalid';

export interface SandboxConfig {
  readonly host: string;
  readonly port: number;
  readonly token: string;
  readonly file: string;
}

/** 0 is any free port; envalid's own validator refuses it. */
const port = makeValidator((text) => {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new TypeError('must be a port, 0 to 65535');
  return Number(text);
});

const filled = makeValidator((text) => {
  if (text.trim() === '') throw new TypeError('must not be empty');
  return text;
});

const SPECS = {
  SANDBOX_HOST: filled({ default: '127.0.0.1' }),
  SANDBOX_PORT: port({ default: 4010 }),
  SANDBOX_TOKEN: str({ default: '' }),
  DATA_DIR: filled({ default: './data' }),
};

/** What the environment says of the sandbox; says on standard error what is wrong with it, and ends the process. */
export const sandboxConfigOrExit = (environment: NodeJS.ProcessEnv): SandboxConfig => {
  const problems: string[] = [];
  const reporter = ({ errors }: { errors: Partial<Record<string, Error>> }) => {
    for (const [name, error] of Object.entries(errors)) problems.push(`  ${name}: ${error?.message ?? 'is wrong'}`);
  };
  if (environment.NODE_ENV === 'production') {
    problems.push('  NODE_ENV: the sandbox platform is a stand-in, and does not start in production');
  }
  const env = customCleanEnv(environment, SPECS, (checked) => checked, { reporter });
  if (problems.length > 0) {
    process.stderr.write(`The configuration is wrong:\n${problems.join('\n')}\n`);
    process.exit(1);
  }
  return {
    host: env.SANDBOX_HOST,
    port: env.SANDBOX_PORT,
    token: env.SANDBOX_TOKEN || randomBytes(24).toString('base64url'),
    file: join(env.DATA_DIR, 'sandbox.db'),
  };
};
