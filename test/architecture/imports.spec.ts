import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
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

const SOURCES = /^(apps|libs)\/(?!.*(\.(spec|fixtures)\.ts$|\/testing\/|\/trespassing-))/;

const LIBS = Object.keys(MAY_IMPORT);
const FORBIDDEN = LIBS.flatMap((from) =>
  LIBS.filter((to) => to !== from && !MAY_IMPORT[from]?.includes(to)).map((to) => ({ from, to })),
);
const CYCLIC = ['jobs', 'scans', 'event-log'];

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
  'dashboard-knows-no-other-app': ['apps/dashboard/src', "import '../../../api/src/api.js';"],
  'stores-are-for-roots': ['apps/cli/src', "import '#stores';"],
  'the-page-is-apart': ['apps/dashboard/web', "import '#kernel';"],
  'nothing-imports-the-page': ['apps/api/src', "import '../../../dashboard/web/api/client.js';"],
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

/** Files that break rules, in new folders of the project, which the tests plant together: reading it takes ten seconds. */
class Trespasses {
  readonly folders: string[] = [];
  private violations: readonly Violation[] = [];

  /** Puts files into a new folder below the parent, for one test. */
  async plant(test: string, parent: string, files: Readonly<Record<string, string>>): Promise<void> {
    const folder = await mkdtemp(`${ROOT}${parent}/trespassing-${test}-`);
    this.folders.push(folder);
    for (const [name, source] of Object.entries(files)) await writeFile(`${folder}/${name}.ts`, source);
  }

  found(violations: readonly Violation[]): void {
    this.violations = violations;
  }

  /** Returns the violations in the files of one test. */
  of(test: string): readonly Violation[] {
    return this.violations.filter(({ from }) => from.includes(`/trespassing-${test}-`));
  }

  async remove(): Promise<void> {
    for (const folder of this.folders) await rm(folder, { recursive: true });
  }
}

const plantAll = async (trespasses: Trespasses): Promise<void> => {
  for (const lib of LIBS) {
    const imports = FORBIDDEN.filter(({ from }) => from === lib).map(
      ({ to }) => `import type {} from '${entryOf(to, lib)}';`,
    );
    await trespasses.plant('table', `libs/${lib}/src`, { [lib]: imports.join('\n') });
  }
  for (const [rule, [parent, source]] of Object.entries(TRESPASSES)) {
    await trespasses.plant('rules', parent, { [rule]: source });
  }
  await trespasses.plant('index', 'libs/scans/src', {
    index: "export { ScanRepository } from '../application/scans.repository.js';",
  });
  await trespasses.plant('index', 'libs/creators/src', {
    index: "export type { CreatorRepository } from '../application/access/creator.repository.js';",
  });
  for (const lib of CYCLIC) {
    await trespasses.plant('cycle', `libs/${lib}/src`, {
      [lib]: "import type { Second } from './second.js';\nexport type First = Second;",
      second: `import type { First } from './${lib}.js';\nexport type Second = First;`,
    });
  }
  await trespasses.plant('test-cycle', 'test/e2e', {
    first: "import { second } from './second.js';\nexport const first = () => second;",
    second: "import { first } from './first.js';\nexport const second = () => first;",
  });
  await trespasses.plant('test-cycle', 'test/e2e', {
    types: "import type { Second } from './other.js';\nexport type First = Second;",
    other: "import type { First } from './types.js';\nexport type Second = First;",
  });
  await trespasses.plant('support', 'test/e2e', {
    api: "import '../../../apps/api/src/api.js';",
    tool: "export { createProgram } from '../../../apps/cli/src/program.js';",
    late: "await import('../../../apps/worker/src/worker.js');",
    type: "import type { Setup } from '../../../apps/service/src/run.js';\nexport type Used = Setup;",
  });
};

describe('Imports', () => {
  const trespasses = new Trespasses();
  let cruised: Cruise;
  beforeAll(async () => {
    await plantAll(trespasses);
    cruised = await cruise('apps', 'libs', 'test');
    trespasses.found(cruised.summary.violations);
  }, 120_000);
  afterAll(() => trespasses.remove());

  it('follow the table of the architecture, and go one way between the folders of a lib', () => {
    const own = cruised.summary.violations.filter(({ from }) => !from.includes('/trespassing-'));
    expect(own.map(({ rule, from }) => `${from}: ${rule.name}`)).toEqual([]);
    expect(folderCircles(cruised.modules, SOURCES)).toEqual([]);
  });

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
    const brokenBy = (test: string, rule: string) => trespasses.of(test).filter((broken) => broken.rule.name === rule);

    it('break the row of their lib, also where only a type is imported', () => {
      const broken = trespasses
        .of('table')
        .filter(({ rule, from }) => rule.name === `${basename(from, '.ts')}-imports-by-the-table`);
      expect(broken.map(({ from }) => basename(from, '.ts')).sort()).toEqual(FORBIDDEN.map(({ from }) => from).sort());
    });

    it('break the rule that says so', () => {
      const broken = trespasses.of('rules').map(({ rule, from }) => [rule.name, basename(from, '.ts')]);
      expect(broken).toEqual(expect.arrayContaining(Object.keys(TRESPASSES).map((rule) => [rule, rule])));
    });

    it('break the rule that an index exports no repository, and no type of its file either', () => {
      const broken = brokenBy('index', 'repositories-stay-inside');
      expect(broken.map(({ from }) => from.split('/')[1]).sort()).toEqual(['creators', 'scans']);
    });

    it('break the rule against cycles, also where only a type is imported', () => {
      const broken = brokenBy('cycle', 'no-cycles-of-types-either');
      expect(broken.map(({ from }) => basename(from, '.ts'))).toEqual(expect.arrayContaining(CYCLIC));
    });

    it('break the rule against cycles in tests too, unless only a type is imported', () => {
      // A cycle is reported for its first file.
      expect(brokenBy('test-cycle', 'no-cycles').map(({ from }) => basename(from, '.ts'))).toEqual(['first']);
    });

    it('break the rule that tests open the service through their support, whichever way they import an app', () => {
      const broken = brokenBy('support', 'tests-open-the-service-in-their-support');
      expect(broken.map(({ from }) => basename(from)).sort()).toEqual(['api.ts', 'late.ts', 'tool.ts', 'type.ts']);
    });
  });
});
