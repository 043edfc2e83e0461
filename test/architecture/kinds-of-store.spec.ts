import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ADAPTERS = /^libs\/(event-log|document-store|key-store|mongodb-connection)\//;
/** They read where the stores are, and open them. */
const OPENERS = /^libs\/(configuration|stores)\//;
/** A separate platform, with its own store. */
const SANDBOX = /^apps\/platform-sandbox\//;

const sources = globSync('{apps,libs}/**/*.ts', { cwd: ROOT }).filter(
  (file) => !/\.(spec|fixtures)\.ts$/.test(file) && ![ADAPTERS, OPENERS, SANDBOX].some((pattern) => pattern.test(file)),
);

/** Code without its comments and texts, which may well name a store to people. */
const codeOf = (file: string): string =>
  readFileSync(`${ROOT}${file}`, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*|'[^'\n]*'|"[^"\n]*"|`[^`]*`/g, '');

it('only configuration, stores and the adapters know which kinds of store there are', () => {
  expect(sources.length).toBeGreaterThan(300);
  const knowing = sources.filter((file) => /sqlite|mongo|eventstoredb|esdb|embedded/i.test(codeOf(file)));
  expect(knowing).toEqual([]);
});

it('only configuration reads where the stores are', () => {
  const reading = sources.filter((file) => /EVENTSTOREDB_URL|MONGODB_URL/.test(readFileSync(`${ROOT}${file}`, 'utf8')));
  expect(reading).toEqual([]);
});
