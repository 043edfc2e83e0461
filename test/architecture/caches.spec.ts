import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const documented = new Set(
  [...readFileSync(`${ROOT}docs/caches.md`, 'utf8').matchAll(/`([\w.-]+\.ts)`/g)].map(([, name]) => name),
);

/** A platform for tests, with its data in memory; it is no part of the service. */
const SANDBOX = /^apps\/platform-sandbox\//;
const TESTS = /\.(spec|fixtures)\.ts$|^libs\/testing\/|\/(testing|contract)\//;
/** A field or a module's variable that is made empty, and filled while the process runs. */
const KEPT =
  /^(?: {2}(?:(?:private|public|protected|static|readonly) )*#?\w+|const \w+)(?:: [^=\n]+)? = (?:new (?:LRUCache|Map|Set|WeakMap|WeakSet)\b[^(]*\((?:\{|\);))|this\.\w+ = (?:new LRUCache|caches\.create)/m;

const sources = globSync('{apps,libs}/**/*.ts', { cwd: ROOT }).filter(
  (file) => !SANDBOX.test(file) && !TESTS.test(file),
);

it('each cache and registry has a row in docs/caches.md', () => {
  const keeping = sources.filter((file) => KEPT.test(readFileSync(`${ROOT}${file}`, 'utf8')));
  expect(keeping.length).toBeGreaterThan(40);
  expect(keeping.filter((file) => !documented.has(basename(file)))).toEqual([]);
});

it('each file that docs/caches.md names is there', () => {
  const names = new Set(sources.map((file) => basename(file)));
  expect([...documented].filter((name) => name !== 'caches.spec.ts' && !names.has(name ?? ''))).toEqual([]);
});

it('each cache has a bound in bytes and one of the rules of ADR 10', () => {
  const text = readFileSync(`${ROOT}docs/caches.md`, 'utf8');
  const rows = text.slice(text.indexOf('\n## Caches'), text.indexOf('\n## Prepared once')).split('\n').slice(7);
  const cells = rows.filter((row) => /^\| [^-]/.test(row)).map((row) => row.split(' | '));
  expect(cells.length).toBeGreaterThan(15);
  expect(cells.filter(([, , bound]) => !/\d [KM]i?B\b/.test(bound ?? ''))).toEqual([]);
  const isRule = /^(?:immutable|confirmed|expected|sole writer|age)\b/;
  expect(cells.filter(([, , , rule]) => !isRule.test(rule ?? ''))).toEqual([]);
});
