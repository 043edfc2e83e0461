import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(`${ROOT}docs/caches.md`, 'utf8');
const adr = readFileSync(`${ROOT}docs/adr/0010-how-a-cache-stays-right.md`, 'utf8');

/** A platform for tests, with its data in memory, and the client of agencies: they are no part of the service. */
const NOT_THE_SERVICE = /^(apps\/platform-sandbox|libs\/client)\//;
const TESTS = /\.(spec|fixtures)\.ts$|^libs\/testing\/|\/(testing|contract)\//;

const sources = globSync('{apps,libs}/**/*.ts', { cwd: ROOT })
  .filter((file) => !NOT_THE_SERVICE.test(file) && !TESTS.test(file))
  .map((file) => ({ file, text: readFileSync(`${ROOT}${file}`, 'utf8') }));

const COLLECTION = String.raw`new (?:LRUCache|Map|Set|WeakMap|WeakSet)\b`;
/** A collection that is made empty, and filled while the process runs. Its type may contain functions. */
const EMPTY = String.raw`(?:: [^=\n]+)? = ${COLLECTION}(?:[^(]*|[^;]*?)\((?:\{|\);)`;
/** A field or a variable that is set later, unless it is a task, a function, a number, or something open. */
const SET_LATER = String.raw`: (?!Promise<|NodeJS\.|\(\(|number\b|Error\b|Connection\b|Worker\b|Dispatcher\.).*\| undefined;`;

const MODIFIERS = '(?:(?:private|public|protected|static|readonly) )*';
/** A field for what `Caches` makes. */
const CACHE = String.raw`^ {2}${MODIFIERS}#?(\w+): Cache<`;

const KEPT = [
  // Fields of classes.
  String.raw`^ {2}${MODIFIERS}#?(\w+)(?:: [^=\n]+)? = ${COLLECTION}`,
  CACHE,
  String.raw`^ {2}(?:private |#)(\w+)${SET_LATER}`,
  String.raw`this\.#?(\w+) = ${COLLECTION}`,
  // Variables of modules.
  `^const (\\w+)${EMPTY}`,
  `^let (\\w+)${SET_LATER}`,
].map((pattern) => new RegExp(pattern, 'gm'));

/** A function that may outlive its call in what it returns or registers: it is neither asynchronous nor a generator. */
const FUNCTION = /^(?:export )?(?:const \w+(?:: [^=\n]+)? = (?!async)|function (?!\*))[^\n]*[({]\n[\s\S]*?^\}/gm;
/** It returns methods or a function, or registers listeners. */
const HAS_CLOSURES =
  /^ {4}\w+(?:: (?:async )?\(.*\) =>|: \w+ =>|\(.*\) \{)|^ {2}return \(?[\w, :]*\)? =>|\.(?:addHook|on)\(/m;
const IN_CLOSURES = new RegExp(`^ {2}const (\\w+)${EMPTY}`, 'gm');
const SET_IN_CLOSURES = new RegExp(`^ {2}let (\\w+)${SET_LATER}`, 'gm');

const namesIn = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name = '']) => name);

const keptIn = (text: string): string[] => [
  ...KEPT.flatMap((pattern) => namesIn(text, pattern)),
  ...[...text.matchAll(FUNCTION)].flatMap(([body]) => [
    ...namesIn(body, SET_IN_CLOSURES),
    ...(HAS_CLOSURES.test(body) ? namesIn(body, IN_CLOSURES) : []),
  ]),
];

/** The cells of the rows below a heading, without the names of the columns. */
const rowsOf = (heading: string): string[][] => {
  const section = page.split(/^## /m).find((candidate) => candidate.startsWith(`${heading}\n`)) ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('| '));
  return lines.slice(2).map((line) => line.slice(2, -2).split(' | '));
};

/** Each file that a row names first, with the names that follow it, as `file name`. */
const documentedIn = (heading: string): string[] =>
  rowsOf(heading).flatMap(([what = '']) => {
    let file = '';
    return [...what.matchAll(/`([^`]+)`/g)].flatMap(([, text = '']) => {
      if (!text.includes('/')) return [`${file} ${text}`];
      file = text;
      return [];
    });
  });

const HEADINGS = ['Caches', 'Prepared once', 'Memory that decisions rely on', 'Registries'];
const documented = new Set(HEADINGS.flatMap(documentedIn));

it('each cache and registry has a row in docs/caches.md', () => {
  const kept = sources.flatMap(({ file, text }) => keptIn(text).map((name) => `${file} ${name}`));
  expect(kept.length).toBeGreaterThan(80);
  expect(kept.filter((one) => !documented.has(one))).toEqual([]);
});

it('all that docs/caches.md names is there', () => {
  const isThere = (one: string) => {
    const [file, name = ''] = one.split(' ');
    const source = sources.find((candidate) => candidate.file === file);
    return new RegExp(`\\b${name}\\b`).test(source?.text ?? '');
  };
  expect([...documented].filter((one) => !isThere(one))).toEqual([]);
});

it('what `Caches` makes is in the table of caches', () => {
  const caches = new Set(documentedIn('Caches'));
  const made = sources.flatMap(({ file, text }) =>
    namesIn(text, new RegExp(CACHE, 'gm')).map((name) => `${file} ${name}`),
  );
  expect(made.length).toBeGreaterThan(10);
  expect(made.filter((one) => !caches.has(one))).toEqual([]);
});

it('each cache has a bound in bytes and one of the rules of ADR 0010', () => {
  const rows = rowsOf('Caches');
  expect(rows.length).toBeGreaterThan(15);
  expect(rows.filter(([, , bound]) => !/\d [KM]i?B\b/.test(bound ?? ''))).toEqual([]);
  const rules = [...adr.matchAll(/^\| ([a-z ]+) \|/gm)].map(([, rule = '']) => rule).slice(1);
  expect(rules).toContain('confirmed');
  const isRule = new RegExp(`^(?:${rules.join('|')})\\b`);
  expect(rows.filter(([, , , rule]) => !isRule.test(rule ?? ''))).toEqual([]);
});

it.each([
  ['a field', 'export class A {\n  readonly #kept = new Map<string, () => void>();\n}'],
  ['a field that begins with entries', 'export class A {\n  private kept: Map<B, C> = new Map(all());\n}'],
  [
    'a field that is filled in the constructor',
    'export class A {\n  readonly #kept: B;\n  constructor() {\n    this.#kept = new Set([1]);\n  }\n}',
  ],
  ['a cache', 'export class A {\n  private readonly kept: Cache<string, B>;\n}'],
  ['a field that is set later', 'export class A {\n  private kept: Answer | undefined;\n}'],
  ['a variable of a module', 'const kept = new Set<string>();\n'],
  [
    'a variable of methods',
    'export const a = () => {\n  const kept = new Set<string>();\n  return {\n    b: () => kept,\n  };\n};',
  ],
  [
    'a variable of a listener',
    'const a = (b: B): void => {\n  let kept: C | undefined;\n  b.on("c", (c) => (kept = c));\n};',
  ],
])('finds %s', (_, text) => {
  expect(keptIn(text)).toEqual(['kept']);
});

it('does not mistake a variable of one call for one that is kept', () => {
  expect(
    keptIn('const a = (names: B) => {\n  const seen = new Set<string>();\n  return [...names, ...seen];\n};'),
  ).toEqual([]);
});
