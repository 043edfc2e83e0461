import { readdirSync } from 'node:fs';

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

export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/test'],
  testMatch: ['**/*.spec.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', swc] },
  moduleNameMapper: {
    [`^#(${libs})/handlers$`]: '<rootDir>/libs/$1/src/handlers.ts',
    [`^#(${libs})$`]: '<rootDir>/libs/$1/src/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  maxWorkers: 2,
  // The modules of finished files stay in a worker's memory: one that has grown is replaced.
  workerIdleMemoryLimit: '1GB',
  testTimeout: 30_000,
};
