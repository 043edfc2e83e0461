import config from '../../jest.config.mjs';

const { projects, ...options } = config;
const [, service] = projects;

/** The specs in a real browser: not part of `npm test`, because they need Chromium. */
export default {
  ...options,
  ...service,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/browser/**/*.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  reporters: ['default'],
  maxWorkers: 2,
};
