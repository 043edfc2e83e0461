import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAX_FILES = 12;
/** The engine and the adapters, which the page explains elsewhere. */
const EXPLAINED_ELSEWHERE =
  /^libs\/(kernel|jobs|projections|personal-data|tamper-evidence|event-log|document-store|key-store|stores|native-platform|webhook-sender)\//;

const sources = new Map(
  globSync('{apps,libs}/*/src/**/*.ts', { cwd: ROOT })
    .filter((file) => !/\.(spec|fixtures)\.ts$|\/(testing|contract)\//.test(file))
    .map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]),
);

const sourceOf = (file: string): string => {
  const source = sources.get(file);
  if (source === undefined) throw new Error(`docs/flows.md names ${file}, which is no source`);
  return source;
};

const namesIn = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name = '']) => name);

/** Each file that a statement imports or exports from, with the names between the braces. */
const statementsOf = (file: string, keyword: 'import' | 'export') =>
  [...sourceOf(file).matchAll(new RegExp(`^${keyword} (?:type )?\\{([^}]*)\\} from '([^']+)';`, 'gm'))].map(
    ([, names = '', from = '']) => ({ names: namesIn(names, /(?:type )?(\w+)(?: as \w+)?,?/g), from }),
  );

const fileAt = (importer: string, from: string): string => join(dirname(importer), from).replace(/\.js$/, '.ts');

/** The files that a file imports; of a library, those that its index lends the names from. */
const importsOf = (file: string): string[] =>
  statementsOf(file, 'import').flatMap(({ names, from }) => {
    if (from.startsWith('.')) return [fileAt(file, from)];
    const index = `libs/${from.slice(1)}/src/index.ts`;
    if (!from.startsWith('#') || !sources.has(index)) return [];
    const lent = statementsOf(index, 'export').filter((statement) =>
      statement.names.some((name) => names.includes(name)),
    );
    return lent.map((statement) => fileAt(index, statement.from));
  });

const commandsHandledBy = (file: string): string[] => namesIn(sourceOf(file), /@(?:Command|Query)Handler\((\w+)\)/g);
const eventTypesIn = (text: string): string[] => namesIn(text, /['`](\w+\.\w+\.v\d+)['`]/g);

/** Its read models follow the same events, but no answer waits for them. */
const isOfDashboard = (source: string): boolean => source.includes('DASHBOARD_READ_MODELS');

/** A row of a table or a `case`, unless it does nothing; or a line of a list of types. */
const isConsumer = (source: string, type: string): boolean =>
  new RegExp(`'${type}':(?! (?:announcesNothing|\\[\\]),)|^\\s*'${type}',$`, 'm').test(source) &&
  !isOfDashboard(source);

const filesWhere = (holds: (source: string, file: string) => boolean): string[] =>
  [...sources].filter(([file, source]) => !EXPLAINED_ELSEWHERE.test(file) && holds(source, file)).map(([file]) => file);

const flows = readFileSync(join(ROOT, 'docs/flows.md'), 'utf8')
  .split(/^## /m)
  .slice(1)
  .map((text) => ({
    title: text.slice(0, text.indexOf('\n')),
    files: namesIn(text.match(/^\d+\. .*$/gm)?.join('\n') ?? '', /\]\(\.\.\/([^)]+\.ts)\)/g),
    commands: namesIn(text, /`([A-Z]\w+)`/g).filter(
      (name) => filesWhere((source) => source.includes(`Handler(${name})`)).length > 0,
    ),
    events: eventTypesIn(text),
  }))
  .filter(({ files }) => files.length > 0)
  .map((flow, n, all) => ({ ...flow, earlier: all.slice(0, n).flatMap(({ files }) => files) }));
const allFiles = new Set(flows.flatMap(({ files }) => files));

const shares = <Item>(some: readonly Item[], others: readonly Item[]): boolean =>
  some.some((one) => others.includes(one));

/** By an import, a command, an event type, or a read model that the file reads. */
const leadsTo = (before: string, file: string): boolean =>
  importsOf(before).includes(file) ||
  (before.includes('/read-models/') && importsOf(file).includes(before)) ||
  commandsHandledBy(file).some((command) => new RegExp(`\\b${command}\\b`).test(sourceOf(before))) ||
  shares(eventTypesIn(sourceOf(before)), eventTypesIn(sourceOf(file)));

it('docs/flows.md follows the five requests', () => {
  const titles = flows.map(({ title }) => title);
  expect(titles).toEqual(
    expect.arrayContaining(['GET creator', 'PUT protection', 'POST scan', 'Event to webhook', "A month's usage"]),
  );
});

describe.each(flows)('the flow of $title', ({ files, earlier, commands, events }) => {
  it('has at most twelve files, each of them once, and none that is explained elsewhere', () => {
    expect(files.length).toBeLessThanOrEqual(MAX_FILES);
    expect(new Set(files).size).toBe(files.length);
    expect(files.filter((file) => EXPLAINED_ELSEWHERE.test(file) || isOfDashboard(sourceOf(file)))).toEqual([]);
  });

  it('reaches each file from one before it: of the page, a controller, or for the first a context', () => {
    const controllers = filesWhere(
      (source, file) => file.endsWith('.controller.ts') && commands.some((name) => source.includes(name)),
    );
    const contexts = filesWhere((_, file) => file.endsWith('.context.ts'));
    const isReached = (file: string, n: number) =>
      [...controllers, ...earlier, ...(n === 0 ? contexts : files.slice(0, n))].some((one) => leadsTo(one, file));
    expect(files.filter((file, n) => !isReached(file, n))).toEqual([]);
  });

  it('misses no handler of its commands, and no consumer of its events', () => {
    const isNamed = (source: string) =>
      commands.some((name) => source.includes(`Handler(${name})`)) || events.some((type) => isConsumer(source, type));
    expect(filesWhere(isNamed).filter((file) => !allFiles.has(file))).toEqual([]);
  });
});
