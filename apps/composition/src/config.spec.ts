import { describe, expect, it } from '@jest/globals';
import { InvalidConfiguration, readConfig } from './config.js';

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

  it.each(['HOST', 'OPS_HOST', 'DATA_DIR'])('%s can not be set to nothing, which would be something else', (name) => {
    for (const nothing of ['', ' ']) expect(problemsOf({ [name]: nothing })).toEqual([`${name}: must not be empty`]);
  });

  it('all that is wrong is told at once', () => {
    const problems = problemsOf({ PORT: '65536', CURRENCY: 'GBP', DASHBOARD_URL: ':::', SCAN_ENGINE_TOKEN: 't' });
    const names = problems.map((problem) => problem.split(':')[0]);
    expect(names.toSorted()).toEqual(['CURRENCY', 'DASHBOARD_URL', 'PORT', 'SCAN_ENGINE_URL']);
  });
});
