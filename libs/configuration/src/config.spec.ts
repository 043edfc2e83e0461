import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { DAY, HOUR, MINUTE, SECOND } from '#kernel';
import { InvalidConfiguration, readConfig, VARIABLES } from './config.js';

const problemsOf = (environment: NodeJS.ProcessEnv): readonly string[] => {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (!(error instanceof InvalidConfiguration)) throw error;
    return error.problems;
  }
};

describe('the configuration', () => {
  it('is complete without any variable, and listens to this machine alone', () => {
    expect(readConfig({})).toMatchObject({ host: '127.0.0.1', port: 3_000, dataDir: './data', ops: undefined });
    expect(readConfig({ OPS_PORT: '0' }).ops).toEqual({ host: '127.0.0.1', port: 0 });
  });

  it('has the limits, intervals and currency of the specification, and webhooks only to public addresses', () => {
    expect(readConfig({})).toMatchObject({
      rateLimitPerMinute: 120,
      verificationCache: 5 * SECOND,
      scanScheduleEvery: DAY,
      pricing: { perCreatorMonth: undefined, minimumMonthly: 0, currency: 'EUR' },
      webhookTargets: 'public',
      webhookBackoff: [MINUTE, 10 * MINUTE, HOUR, 6 * HOUR],
    });
  });

  it.each(['HOST', 'OPS_HOST', 'DATA_DIR'])('%s cannot be empty, which would have another meaning', (name) => {
    for (const nothing of ['', ' ']) expect(problemsOf({ [name]: nothing })).toEqual([`${name}: must not be empty`]);
  });

  it('reports all errors together', () => {
    const problems = problemsOf({ PORT: '65536', CURRENCY: 'GBP', DASHBOARD_URL: ':::', SCAN_ENGINE_TOKEN: 't' });
    const names = problems.map((problem) => problem.split(':')[0]);
    expect(names.toSorted()).toEqual(['CURRENCY', 'DASHBOARD_URL', 'PORT', 'SCAN_ENGINE_URL']);
  });

  it('has a row in docs/configuration.md for each variable and no other', () => {
    const page = readFileSync(new URL('../../../docs/configuration.md', import.meta.url), 'utf8');
    const cells = [...page.matchAll(/^\| (`[A-Z].*?) \|/gm)].map(([, cell = '']) => cell);
    const documented = cells.flatMap((cell) => [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name));
    const ours = documented.filter((name) => !name?.startsWith('SANDBOX_') && name !== 'NODE_ENV');
    expect(ours.sort()).toEqual([...VARIABLES].sort());
  });
});
