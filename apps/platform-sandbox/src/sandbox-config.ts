import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { str } from 'envalid';
import { filled, formatProblems, port, readVariables, withSecretFiles } from '#configuration';

export interface SandboxConfig {
  readonly host: string;
  readonly port: number;
  readonly token: string;
  readonly file: string;
}

const SPECS = {
  SANDBOX_HOST: filled({ default: '127.0.0.1' }),
  SANDBOX_PORT: port({ default: 4010 }),
  SANDBOX_TOKEN: str({ default: '' }),
  DATA_DIR: filled({ default: './data' }),
};

export const sandboxConfigOrExit = (variables: NodeJS.ProcessEnv): SandboxConfig => {
  const { environment, problems: wrongFiles } = withSecretFiles(variables);
  const { env, problems } = readVariables(environment, SPECS);
  problems.unshift(...wrongFiles);
  if (environment.NODE_ENV === 'production') {
    problems.push('NODE_ENV: the sandbox platform is a stand-in, and does not start in production');
  }
  if (problems.length > 0) {
    process.stderr.write(`${formatProblems(problems)}\n`);
    process.exit(1);
  }
  return {
    host: env.SANDBOX_HOST,
    port: env.SANDBOX_PORT,
    token: env.SANDBOX_TOKEN || randomBytes(24).toString('base64url'),
    file: join(env.DATA_DIR, 'sandbox.db'),
  };
};
