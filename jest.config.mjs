import { realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('.', import.meta.url));

// `TESTED_BUILD=dist`: specs below test/ run on that build, which is faster for many of them; without it on the sources.
// The workers inherit the resolved link: all of a run tests one build, also when another one is made during the run.
if (process.env.TESTED_BUILD !== undefined) {
  process.env.TESTED_BUILD = realpathSync(resolve(ROOT, process.env.TESTED_BUILD));
  writeFileSync(join(process.env.TESTED_BUILD, 'in-use', `${process.pid}`), '');
}

// Processes that the specs start load their modules faster.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'creator-protection-compile-cache');

/** One for all projects, because Jest waits for the last spec of a runner before it starts the next runner. */
const RUNNER = 'jest-light-runner';
const SERVICE_SETUP = ['<rootDir>/test/sources.setup.mjs', '<rootDir>/test/built.setup.mjs'];

export default {
  projects: [
    {
      displayName: 'unit',
      roots: ['<rootDir>/apps', '<rootDir>/libs'],
      testMatch: ['**/*.spec.ts'],
      runner: RUNNER,
      setupFiles: ['<rootDir>/test/sources.setup.mjs'],
    },
    {
      displayName: 'service',
      roots: ['<rootDir>/test'],
      testMatch: ['**/*.spec.ts'],
      // Those below test/browser need a browser: `npm run test:browser`.
      testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/browser/', '<rootDir>/test/crash/'],
      runner: RUNNER,
      setupFiles: SERVICE_SETUP,
    },
    {
      // Each starts up to five processes and bounds the time of a take-over: `npm test` runs few of them side by side.
      displayName: 'crash',
      roots: ['<rootDir>/test/crash'],
      testMatch: ['**/*.spec.ts'],
      runner: RUNNER,
      setupFiles: SERVICE_SETUP,
    },
  ],
  testSequencer: '<rootDir>/test/longest-first.sequencer.mjs',
  // Specs wait more than they compute: on two cores, six in parallel take less time than four.
  maxWorkers: 6,
  reporters: ['default', '<rootDir>/test/skipped.reporter.mjs'],
};
