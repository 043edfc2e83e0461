import { existsSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// The workers inherit it: all of a run test one build, also when another one is made during the run.
const dist = new URL('./dist', import.meta.url);
if (process.env.TESTED_BUILD === undefined && existsSync(dist)) {
  process.env.TESTED_BUILD = realpathSync(dist);
  writeFileSync(`${process.env.TESTED_BUILD}/in-use/${process.pid}`, '');
}

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
    [`^#(${libs})/(handlers|ports)$`]: '<rootDir>/libs/$1/src/$2.ts',
    [`^#(${libs})$`]: '<rootDir>/libs/$1/src/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
};

const root = RegExp.escape(fileURLToPath(new URL('.', import.meta.url)));

export default {
  projects: [
    { ...project, displayName: 'parts', roots: ['<rootDir>/apps', '<rootDir>/libs'] },
    {
      ...project,
      displayName: 'whole',
      testEnvironment: '<rootDir>/test/built.environment.mjs',
      roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/test'],
      testMatch: ['<rootDir>/test/**/*.spec.ts'],
      transform: {
        [`^${root}(?:apps|libs)(?!.*/testing/)/.+\\.ts$`]: '<rootDir>/test/built.transform.mjs',
        ...project.transform,
      },
    },
  ],
  maxWorkers: 2,
  // The modules of finished files stay in a worker's memory: one that has grown is replaced.
  workerIdleMemoryLimit: '1GB',
  testTimeout: 30_000,
};
