import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const decisions = readFileSync(`${ROOT}docs/decisions.md`, 'utf8');
const sources = globSync('{apps,libs,test}/**/*.{ts,tsx,mjs,md}', { cwd: ROOT });

const matchesOf = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, match = '']) => match);

const entries = decisions.split('<a id="').slice(1);
const numbers = entries.map((entry) => entry.slice(0, entry.indexOf('"')));
const cited = new Set(sources.flatMap((file) => matchesOf(readFileSync(`${ROOT}${file}`, 'utf8'), /\b(D[1-9]\d*)\b/g)));
const isBuilt = (entry: string) => !entry.includes('*Not built yet.*');

it('each decision that is cited has one entry in docs/decisions.md', () => {
  expect(numbers).toEqual([...new Set(numbers)]);
  expect(cited.size).toBeGreaterThan(100);
  expect([...cited].filter((number) => !numbers.includes(number))).toEqual([]);
});

it('each entry links to the file that implements or tests it, or says that it is not built yet', () => {
  expect(entries.filter((entry) => isBuilt(entry) && !/\[`[\w.-]+\.ts`\]\(\.\.\//.test(entry))).toEqual([]);
});

it('an entry is cited if, and only if, it does not say that it is not built yet', () => {
  expect(numbers.filter((number) => cited.has(number))).toEqual(
    numbers.filter((_, index) => isBuilt(entries[index] ?? '')),
  );
});
