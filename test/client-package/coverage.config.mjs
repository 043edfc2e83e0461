import main from '../../jest.config.mjs';

// As the project of the specs below `test`, because the runner of the unit project cannot count branches.
const service = main.projects.find(({ displayName }) => displayName === 'service');

export default {
  ...service,
  displayName: 'client',
  rootDir: '../..',
  testMatch: ['<rootDir>/libs/client/**/*.spec.ts'],
  maxWorkers: 2,
  collectCoverage: true,
  collectCoverageFrom: ['libs/client/src/**/*.ts', '!**/*.fixtures.ts', '!**/*.spec.ts', '!**/generated/**'],
  coverageDirectory: '<rootDir>/coverage/client',
  coverageReporters: ['text'],
  coverageThreshold: { global: { branches: 100, functions: 100, lines: 100, statements: 100 } },
};
