import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const decisions = readFileSync(`${ROOT}docs/decisions.md`, 'utf8');
const sources = globSync('{apps,libs,test}/**/*.{ts,mjs,md}', { cwd: ROOT });

const matchesOf = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, match = '']) => match);

it('each decision that is cited has one entry in docs/decisions.md', () => {
  const entries = matchesOf(decisions, /<a id="(D\d+)">/g);
  expect(entries).toEqual([...new Set(entries)]);
  const cited = sources.flatMap((file) => matchesOf(readFileSync(`${ROOT}${file}`, 'utf8'), /\b(D[1-9]\d?)\b/g));
  expect(cited.length).toBeGreaterThan(500);
  expect(cited.filter((number) => !entries.includes(number))).toEqual([]);
});

it('each file that docs/decisions.md names is there', () => {
  const named = matchesOf(decisions, /`([\w.-]+\.ts)`/g);
  expect(named.length).toBeGreaterThan(50);
  const names = new Set(sources.map((file) => basename(file)));
  expect(named.filter((name) => !names.has(name))).toEqual([]);
});
