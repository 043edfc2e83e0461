#!/usr/bin/env node
// Finds names and phrases that this project does not use, in code, comments, tests and documents: `language.json` lists
// them, with what to write instead. `language-remaining.json` counts the findings from before the rule. More of them fail,
// and so do fewer, until `npm run check:language -- --shrink` has lowered the number.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const REMAINING = new URL('./language-remaining.json', import.meta.url);
/** The recorded data folder has names of its time, which must not change. */
const NOT_OURS = [':!contracts', ':!test/fixtures/data-folder'];
const FILES = ['*.ts', '*.tsx', '*.mjs', '*.cjs', '*.md', ...NOT_OURS];
/** A line break in a comment may be between two words of a phrase. */
const BETWEEN_WORDS = String.raw`\s+(?:(?:\*|//)\s+)?`;

const readJson = (url) => JSON.parse(readFileSync(url, 'utf8'));
const { names, phrases } = readJson(new URL('./language.json', import.meta.url));
const remaining = readJson(REMAINING);

const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...FILES];
const sources = execFileSync('git', listed, { cwd: ROOT, encoding: 'utf8' })
  .split('\0')
  .filter((file) => file !== '' && existsSync(`${ROOT}${file}`))
  .map((file) => ({ file, text: readFileSync(`${ROOT}${file}`, 'utf8') }));

const placesOf = (pattern) =>
  sources.flatMap(({ file, text }) =>
    [...text.matchAll(pattern)].map(({ index }) => `${file}:${text.slice(0, index).split('\n').length}`),
  );

const ofName = (name) => new RegExp(String.raw`\b${RegExp.escape(name)}\b`, 'g');
const ofPhrase = (phrase) =>
  new RegExp(String.raw`\b${phrase.split(' ').map(RegExp.escape).join(BETWEEN_WORDS)}\b`, 'gi');

const findings = [
  ...names.map(({ avoid, use }) => ({ avoid, use, places: placesOf(ofName(avoid)) })),
  ...phrases.map(({ avoid, use }) => ({ avoid, use, places: placesOf(ofPhrase(avoid)) })),
];

const problemsWith = ({ avoid, use, places }) => {
  const known = remaining[avoid] ?? 0;
  if (places.length < known) return [`"${avoid}": fewer are left; run npm run check:language -- --shrink`];
  if (places.length === known) return [];
  const note = known > 0 ? ` (${known} of these ${places.length} are known)` : '';
  return places.map((place) => `${place}: not "${avoid}": ${use}${note}`);
};

const shrunk = () => {
  const left = findings.map(({ avoid, places }) => [avoid, Math.min(remaining[avoid] ?? 0, places.length)]);
  return Object.fromEntries(left.filter(([, count]) => count > 0));
};

if (parseArgs({ options: { shrink: { type: 'boolean' } } }).values.shrink) {
  writeFileSync(REMAINING, `${JSON.stringify(shrunk(), null, 2)}\n`);
} else {
  const problems = findings.flatMap(problemsWith);
  process.stderr.write(problems.map((problem) => `${problem}\n`).join(''));
  process.exitCode = problems.length > 0 ? 1 : 0;
}
