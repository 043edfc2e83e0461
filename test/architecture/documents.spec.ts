import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAX_README_BYTES = 10_240;

const pages = globSync(['README.md', 'CHANGELOG.md', 'docs/**/*.md', '{apps,libs,test}/**/README.md'], {
  cwd: ROOT,
  exclude: (name) => name === 'node_modules',
}).sort();

const textOf = (page: string): string => readFileSync(join(ROOT, page), 'utf8');
const withoutCodeBlocks = (text: string): string => text.replace(/^```[^\n]*\n.*?^```$/gms, '');

/** The ids that GitHub gives to the headings of a page, and the ids that the page gives itself. */
const anchorsOf = (page: string): ReadonlySet<string> => {
  const text = withoutCodeBlocks(textOf(page));
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  );
  return new Set([...headings, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id)]);
};

/** The links of a page to files and headings of the project that do not exist. */
const deadLinksOf = (page: string): string[] =>
  [...withoutCodeBlocks(textOf(page)).matchAll(/\]\((?![a-z]+:)([^)\s]*)\)/g)].flatMap(([, link = '']) => {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : join(dirname(page), path);
    if (!existsSync(join(ROOT, target))) return [link];
    const isMissing = anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).has(anchor);
    return isMissing ? [link] : [];
  });

/** The paths in code style, such as `libs/scans`, that do not exist; `libs/<context>` and `libs/*` mean several. */
const deadPathsOf = (page: string): string[] =>
  [...withoutCodeBlocks(textOf(page)).matchAll(/`((?:apps|libs|test|docs|scripts|contracts|\.ci)\/[^`\s<>*{}…]*)`/g)]
    .map(([, path = '']) => path)
    .filter((path) => !existsSync(join(ROOT, path)));

/** The sources in a folder's README, such as `writer.ts` or `domain/scan.ts`, that are not in that folder. */
const deadNamesOf = (page: string): string[] => {
  const files = globSync('**/*.{ts,tsx}', { cwd: join(ROOT, dirname(page)) });
  const isThere = (name: string) => files.some((file) => `/${file}`.endsWith(`/${name}`));
  return [...withoutCodeBlocks(textOf(page)).matchAll(/`(\w[\w./-]*\.ts)`/g)]
    .map(([, name = '']) => name)
    .filter((name) => !isThere(name) && !existsSync(join(ROOT, name)));
};

/** Identifiers of packages, which our sources do not have. */
const FOREIGN: ReadonlySet<string> = new Set(['throwOnAppendFailure']);

const identifiersOf = (text: string): readonly string[] => text.match(/[A-Za-z_]\w*/g) ?? [];

const ownIdentifiers = new Set(
  globSync('{apps,libs,test}/**/*.{ts,tsx}', { cwd: ROOT }).flatMap((file) => identifiersOf(textOf(file))),
);

/** The identifiers in code style, such as `admitScan`, that no source has: functions, events, members. */
const deadIdentifiersOf = (page: string): string[] =>
  [...withoutCodeBlocks(textOf(page)).matchAll(/`([^`\n]+)`/g)]
    .flatMap(([, code = '']) => identifiersOf(code))
    .filter((name) => /[a-z][A-Z]/.test(name) && !ownIdentifiers.has(name) && !FOREIGN.has(name));

it('README.md has at most 10 kB', () => {
  expect(statSync(join(ROOT, 'README.md')).size).toBeLessThanOrEqual(MAX_README_BYTES);
});

describe.each(pages)('%s', (page) => {
  it('links only to files and headings that exist', () => {
    expect(deadLinksOf(page)).toEqual([]);
  });

  it('names only paths that exist', () => {
    expect(deadPathsOf(page)).toEqual([]);
  });
});

describe.each(pages.filter((page) => /^(apps|libs|test)\//.test(page)))('%s', (page) => {
  it('names only sources of its folder', () => {
    expect(deadNamesOf(page)).toEqual([]);
  });
});

describe.each(pages.filter((page) => /^(apps|libs)\/|^docs\/(architecture|contributing)\./.test(page)))(
  '%s',
  (page) => {
    it('names only identifiers that exist', () => {
      expect(deadIdentifiersOf(page)).toEqual([]);
    });
  },
);
