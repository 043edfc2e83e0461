#!/usr/bin/env node
// Finds phrases and patterns that this project does not use, in code, comments, tests and documents: `language.json`
// lists them, with what to write instead. A pattern is a regular expression within a line.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FILES = ['*.ts', '*.tsx', '*.mjs', '*.cjs', '*.md', ':!contracts'];
/** A line break in a comment may be between two words of a phrase. */
const BETWEEN_WORDS = String.raw`\s+(?:(?:\*|//)\s+)?`;

const phrases = JSON.parse(readFileSync(new URL('./language.json', import.meta.url), 'utf8'));

const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...FILES];
const sources = execFileSync('git', listed, { cwd: ROOT, encoding: 'utf8' })
  .split('\0')
  .filter((file) => file !== '' && existsSync(`${ROOT}${file}`))
  .map((file) => ({ file, text: readFileSync(`${ROOT}${file}`, 'utf8') }));

const linesOf = (pattern) =>
  sources.flatMap(({ file, text }) =>
    [...text.matchAll(pattern)].map(({ index }) => `${file}:${text.slice(0, index).split('\n').length}`),
  );

const ofPhrase = (phrase) =>
  new RegExp(String.raw`\b${phrase.split(' ').map(RegExp.escape).join(BETWEEN_WORDS)}\b`, 'gi');

const problems = phrases.flatMap(({ avoid, pattern, use }) =>
  linesOf(avoid === undefined ? new RegExp(pattern, 'gm') : ofPhrase(avoid)).map(
    (line) => `${line}: not "${avoid ?? pattern}": ${use}`,
  ),
);
process.stderr.write(problems.map((problem) => `${problem}\n`).join(''));
process.exitCode = problems.length > 0 ? 1 : 0;
