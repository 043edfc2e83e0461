import { globSync, readFileSync } from 'node:fs';
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

it('each entry links to the file that implements or tests it', () => {
  const entries = decisions.split('<a id="').slice(1);
  expect(entries.length).toBeGreaterThan(80);
  expect(entries.filter((entry) => !/\[`[\w.-]+\.ts`\]\(\.\.\//.test(entry))).toEqual([]);
});
