import { readdirSync, readFileSync } from 'node:fs';

// For the workers, which load the specs as ES modules.
process.env.NODE_OPTIONS = '--experimental-vm-modules --disable-warning=ExperimentalWarning';

const { jsc, module } = JSON.parse(readFileSync(new URL('../../.swcrc', import.meta.url), 'utf8'));
const libs = readdirSync(new URL('../../libs', import.meta.url)).join('|');

/** In Jest's own module registry, because the runner of the other specs cannot count branches. */
export default {
  displayName: 'client',
  rootDir: '../..',
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', { jsc, module, sourceMaps: 'inline', swcrc: false }] },
  moduleNameMapper: {
    '^#client/webhooks$': '<rootDir>/libs/client/src/webhooks.ts',
    [`^#(${libs})/module$`]: '<rootDir>/libs/$1/src/$1.module.ts',
    [`^#(${libs})/ports$`]: '<rootDir>/libs/$1/src/ports.ts',
    [`^#(${libs})$`]: '<rootDir>/libs/$1/src/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/test'],
  testMatch: ['<rootDir>/libs/client/**/*.spec.ts'],
  maxWorkers: 2,
  collectCoverage: true,
  collectCoverageFrom: ['libs/client/src/**/*.ts', '!**/*.fixtures.ts', '!**/*.spec.ts', '!**/generated/**'],
  coverageDirectory: '<rootDir>/coverage/client',
  coverageReporters: ['text'],
  coverageThreshold: { global: { branches: 100, functions: 100, lines: 100, statements: 100 } },
};
