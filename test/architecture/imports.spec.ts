import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from '@jest/globals';
import { folderCircles, type ImportingFile } from './folder-circles.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DEPCRUISE = fileURLToPath(new URL('../../node_modules/.bin/depcruise', import.meta.url));

const load = createRequire(import.meta.url);
const { MAY_IMPORT } = load('./import-table.cjs') as {
  readonly MAY_IMPORT: Readonly<Record<string, readonly string[]>>;
};
const { forbidden: RULES } = load('../../.dependency-cruiser.cjs') as {
  readonly forbidden: readonly { readonly name: string }[];
};

interface Violation {
  readonly rule: { readonly name: string };
  /** The file, from the project's root. */
  readonly from: string;
}

interface Cruise {
  readonly modules: readonly ImportingFile[];
  readonly summary: { readonly violations: readonly Violation[] };
}

const cruise = async (...folders: string[]): Promise<Cruise> => {
  const args = [...folders, '--config', '.dependency-cruiser.cjs', '--output-type', 'json'];
  const { stdout } = await promisify(execFile)(process.execPath, [DEPCRUISE, ...args], {
    cwd: ROOT,
    maxBuffer: 256 * 1024 * 1024,
  }).catch((error: { stdout: string }) => error);
  return JSON.parse(stdout) as Cruise;
};

const SOURCES = /^(apps|libs)\/(?!.*(\.(spec|fixtures)\.ts$|\/testing\/))/;

/** The names of the broken rules. */
const namesOf = ({ summary }: Cruise): string[] => [...new Set(summary.violations.map(({ rule }) => rule.name))].sort();

/** An adapter that is only a module has no index. In the client, a separate package, `#kernel` means nothing. */
const entryOf = (lib: string, importer: string): string => {
  const hasIndex = existsSync(`${ROOT}libs/${lib}/src/index.ts`);
  if (importer === 'client') return `../../../${lib}/src/${hasIndex ? 'index' : `${lib}.module`}.js`;
  return hasIndex ? `#${lib}` : `#${lib}/module`;
};

/** For each rule that one import can break: where it is planted, and the import. */
const TRESPASSES: Readonly<Record<string, readonly [parent: string, source: string]>> = {
  'domain-imports-along-the-layers': ['libs/scans/src/domain', "import '../../application/queue-scan.js';"],
  'read-models-imports-along-the-layers': ['libs/scans/src/read-models', "import '../../application/queue-scan.js';"],
  'application-imports-along-the-layers': ['libs/scans/src/application', "import '../../published/public-scan.js';"],
  'published-imports-along-the-layers': ['libs/scans/src/published', "import '../../application/queue-scan.js';"],
  'processes-imports-along-the-layers': ['libs/scans/src/processes', "import '../../published/public-scan.js';"],
  'domain-knows-only-the-kernel': ['libs/scans/src/domain', "import '#creators';"],
  'domain-has-no-types-of-engines': ['libs/scans/src/domain', "import type { LogConsumer } from '#jobs';"],
  'audits-are-for-apps': ['libs/contexts/src', "import '#audit';\nimport '#privacy';"],
  'testing-is-for-tests': ['libs/scans/src', "import '#testing';"],
  'testing-does-without-adapters': ['libs/testing/src', "import '#event-log';"],
  'domain-knows-no-framework': ['libs/scans/src/domain', "import '@nestjs/common';"],
  'contexts-know-no-transport': ['libs/scans/src/application', "import 'fastify';"],
  'others-only-through-the-index': ['libs/kernel/src', "import '../../../scans/src/domain/scan.js';"],
  'modules-are-for-modules': ['libs/scans/src', "import '#cases/module';"],
  'only-roots-know-adapters': ['libs/kernel/src', "import '#event-log';"],
  'libs-do-not-know-apps': ['libs/kernel/src', "import '../../../../apps/api/src/api.js';"],
  'dashboard-is-for-roots': ['apps/worker/src', "import '../../../dashboard/src/dashboard.module.js';"],
  'dashboard-knows-http-alone': ['apps/dashboard/src', "import '../../../api/src/api.js';"],
  'stores-are-for-roots': ['apps/cli/src', "import '#stores';"],
  'the-page-is-apart': ['apps/dashboard/web', "import '#kernel';"],
  'nothing-imports-the-page': ['apps/api/src', "import '../../../dashboard/web/api/errors.js';"],
  'only-declared-dependencies': ['libs/kernel/src', "import 'jest';"],
  'specs-are-not-imported': ['libs/scans/src', "import '../domain/scan.spec.js';"],
};

/** Each has a separate test, because it takes several files or a certain name. */
const OTHER_RULES = [
  'no-cycles',
  'no-cycles-of-types-either',
  'repositories-stay-inside',
  'tests-open-the-service-in-their-support',
];

describe('Imports', () => {
  it('follow the table of the architecture, and go one way between the folders of a lib', async () => {
    const cruised = await cruise('apps', 'libs', 'test');
    expect(namesOf(cruised)).toEqual([]);
    expect(folderCircles(cruised.modules, SOURCES)).toEqual([]);
  }, 120_000);

  it('of folders that import each other, also over a third one, are found', () => {
    const file = (source: string, ...imported: string[]): ImportingFile => ({
      source: `libs/things/src/${source}.ts`,
      dependencies: imported.map((name) => ({ resolved: `libs/${name}.ts` })),
    });
    const oneWay = [
      file('things', 'things/src/rules/count', 'kernel/src/ids'),
      file('rules/count', 'things/src/things', 'things/src/rules/deep/sum', 'things/src/texts/words'),
      file('rules/deep/sum', 'things/src/rules/count'),
    ];
    expect(folderCircles(oneWay, SOURCES)).toEqual([]);
    const back = file('texts/words', 'things/src/store/file');
    expect(folderCircles([...oneWay, back], SOURCES)).toEqual([]);
    const circle = [...oneWay, back, file('store/file', 'things/src/rules/deep/sum')];
    const folders = ['rules', 'store', 'texts'].map((name) => `libs/things/src/${name}`);
    expect(folderCircles(circle, SOURCES)).toEqual([folders]);
  });

  it('have a row of the table for every lib', async () => {
    const libs = (await readdir(`${ROOT}libs`)).filter((lib) => lib !== 'testing');
    expect(Object.keys(MAY_IMPORT).toSorted()).toEqual(libs.toSorted());
  });

  it('have a planted violation for every rule', () => {
    const ofTheTable = Object.keys(MAY_IMPORT).map((lib) => `${lib}-imports-by-the-table`);
    const planted = [...ofTheTable, ...Object.keys(TRESPASSES), ...OTHER_RULES];
    expect(planted.toSorted()).toEqual(RULES.map(({ name }) => name).toSorted());
  });

  describe('that go where they must not', () => {
    const folders: string[] = [];

    /** Puts files into a new folder below the parent. */
    const trespass = async (parent: string, files: Readonly<Record<string, string>>): Promise<void> => {
      const folder = await mkdtemp(`${ROOT}${parent}/trespassing-`);
      folders.push(folder);
      for (const [name, source] of Object.entries(files)) await writeFile(`${folder}/${name}.ts`, source);
    };

    afterEach(async () => {
      for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
    });

    it('break the row of their lib, also where only a type is imported', async () => {
      const libs = Object.keys(MAY_IMPORT);
      const forbidden = libs.flatMap((from) =>
        libs.filter((to) => to !== from && !MAY_IMPORT[from]?.includes(to)).map((to) => ({ from, to })),
      );
      for (const lib of libs) {
        const imports = forbidden
          .filter(({ from }) => from === lib)
          .map(({ to }) => `import type {} from '${entryOf(to, lib)}';`);
        await trespass(`libs/${lib}/src`, { [lib]: imports.join('\n') });
      }
      const { violations } = (await cruise(...folders)).summary;
      const broken = violations.filter(
        ({ rule, from }) => rule.name === `${basename(from, '.ts')}-imports-by-the-table`,
      );
      expect(broken.map(({ from }) => basename(from, '.ts')).sort()).toEqual(forbidden.map(({ from }) => from).sort());
    });

    it('break the rule that says so', async () => {
      for (const [rule, [parent, source]] of Object.entries(TRESPASSES)) await trespass(parent, { [rule]: source });
      const broken = (await cruise(...folders)).summary.violations.map(({ rule, from }) => [
        rule.name,
        basename(from, '.ts'),
      ]);
      expect(broken).toEqual(expect.arrayContaining(Object.keys(TRESPASSES).map((rule) => [rule, rule])));
    });

    it('break the rule that an index exports no repository, and no type of its file either', async () => {
      await trespass('libs/scans/src', {
        index: "export { ScanRepository } from '../application/scan.repository.js';",
      });
      await trespass('libs/creators/src', {
        index: "export type { CreatorRepository } from '../application/access/creator.repository.js';",
      });
      const { violations } = (await cruise(...folders)).summary;
      const broken = violations.filter(({ rule }) => rule.name === 'repositories-stay-inside');
      expect(broken.map(({ from }) => from.split('/')[1]).sort()).toEqual(['creators', 'scans']);
    });

    it('break the rule against cycles, also where only a type is imported', async () => {
      const libs = ['jobs', 'scans', 'event-log'];
      for (const lib of libs) {
        await trespass(`libs/${lib}/src`, {
          [lib]: "import type { Second } from './second.js';\nexport type First = Second;",
          second: `import type { First } from './${lib}.js';\nexport type Second = First;`,
        });
      }
      const { violations } = (await cruise(...folders)).summary;
      const broken = violations.filter(({ rule }) => rule.name === 'no-cycles-of-types-either');
      expect(broken.map(({ from }) => basename(from, '.ts'))).toEqual(expect.arrayContaining(libs));
    });

    it('break the rule against cycles in tests too, unless only a type is imported', async () => {
      await trespass('test/e2e', {
        first: "import { second } from './second.js';\nexport const first = () => second;",
        second: "import { first } from './first.js';\nexport const second = () => first;",
      });
      await trespass('test/e2e', {
        types: "import type { Second } from './other.js';\nexport type First = Second;",
        other: "import type { First } from './types.js';\nexport type Second = First;",
      });
      const { violations } = (await cruise(...folders)).summary;
      const broken = violations.flatMap(({ rule, from }) => (rule.name === 'no-cycles' ? [basename(from, '.ts')] : []));
      // A cycle is reported for its first file.
      expect(broken).toEqual(['first']);
    });

    it('break the rule that tests open the service through their support, whichever way they import an app', async () => {
      await trespass('test/e2e', {
        api: "import '../../../apps/api/src/api.js';",
        tool: "export { createProgram } from '../../../apps/cli/src/program.js';",
        late: "await import('../../../apps/worker/src/worker.js');",
        type: "import type { Setup } from '../../../apps/service/src/run.js';\nexport type Used = Setup;",
      });
      const { violations } = (await cruise(...folders)).summary;
      const files = violations.flatMap(({ rule, from }) =>
        rule.name === 'tests-open-the-service-in-their-support' ? [basename(from)] : [],
      );
      expect(files.sort()).toEqual(['api.ts', 'late.ts', 'tool.ts', 'type.ts']);
    });
  });
});
