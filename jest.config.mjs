import { readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('.', import.meta.url));

// For the workers, which load the specs as ES modules: `npx jest libs/scans` works without it in the environment.
const ESM_FLAGS = '--experimental-vm-modules --disable-warning=ExperimentalWarning';
if (!process.env.NODE_OPTIONS?.includes(ESM_FLAGS)) {
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} ${ESM_FLAGS}`.trim();
}

// `TESTED_BUILD=dist`: specs below test/ run on that build, which is faster for many of them; without it on the sources.
// The workers inherit the resolved link: all of a run tests one build, also when another one is made during the run.
if (process.env.TESTED_BUILD !== undefined) {
  process.env.TESTED_BUILD = realpathSync(resolve(ROOT, process.env.TESTED_BUILD));
  writeFileSync(join(process.env.TESTED_BUILD, 'in-use', `${process.pid}`), '');
}

// Processes that the specs start load their modules faster.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'creator-protection-compile-cache');

const libs = readdirSync(new URL('./libs', import.meta.url)).join('|');

const swc = {
  jsc: {
    target: 'es2024',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    keepClassNames: true,
  },
  module: { type: 'nodenext' },
  sourceMaps: 'inline',
  swcrc: false,
};

const project = {
  testEnvironment: 'node',
  testMatch: ['**/*.spec.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', swc] },
  moduleNameMapper: {
    '^#client/webhooks$': '<rootDir>/libs/client/src/webhooks.ts',
    [`^#(${libs})/module$`]: '<rootDir>/libs/$1/src/$1.module.ts',
    [`^#(${libs})/ports$`]: '<rootDir>/libs/$1/src/ports.ts',
    [`^#(${libs})$`]: '<rootDir>/libs/$1/src/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
};

const builtSources = `^${RegExp.escape(ROOT)}(?:apps|libs)(?!.*/testing/)/.+\\.ts$`;

const service = {
  ...project,
  displayName: 'service',
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/test'],
  testMatch: ['<rootDir>/test/**/*.spec.ts'],
};

/** What decorators have recorded is found only by a test that loads the same classes, so not on a build. */
const READ_DECORATORS = ['erasure', 'rights', 'types'].map((name) => `test/e2e/dashboard/${name}.spec.ts`);

const onBuild = {
  testEnvironment: '<rootDir>/test/built.environment.mjs',
  transform: { [builtSources]: '<rootDir>/test/built.transform.mjs', ...project.transform },
};

export default {
  projects: [
    {
      // In plain Node: loading the sources again for each spec takes longer than running it.
      displayName: 'unit',
      roots: ['<rootDir>/apps', '<rootDir>/libs'],
      testMatch: ['**/*.spec.ts'],
      runner: 'jest-light-runner',
      setupFiles: ['<rootDir>/test/unit.setup.mjs'],
    },
    {
      ...service,
      // Those below test/browser need a browser: `npm run test:browser`.
      testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/browser/', ...READ_DECORATORS],
      ...(process.env.TESTED_BUILD !== undefined && onBuild),
    },
    { ...service, displayName: 'decorators', testMatch: READ_DECORATORS.map((spec) => `<rootDir>/${spec}`) },
  ],
  testSequencer: '<rootDir>/test/longest-first.sequencer.mjs',
  // Specs wait more than they compute: on two cores, four in parallel take less time than two.
  maxWorkers: 4,
  // The modules of finished files stay in a worker's memory: one that has grown is replaced.
  workerIdleMemoryLimit: '1GB',
  testTimeout: 120_000,
  reporters: ['default', '<rootDir>/test/skipped.reporter.mjs'],
};
