import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DEPCRUISE = fileURLToPath(new URL('../../node_modules/.bin/depcruise', import.meta.url));

/** The names of the rules that the sources break. */
const brokenRules = async (...folders: string[]): Promise<string[]> => {
  const args = [...folders, '--config', '.dependency-cruiser.cjs', '--output-type', 'json'];
  const { stdout } = await promisify(execFile)(process.execPath, [DEPCRUISE, ...args], {
    cwd: ROOT,
    maxBuffer: 256 * 1024 * 1024,
  }).catch((error: { stdout: string }) => error);
  const { summary } = JSON.parse(stdout) as { summary: { violations: { rule: { name: string } }[] } };
  return [...new Set(summary.violations.map(({ rule }) => rule.name))].sort();
};

describe('Imports', () => {
  it('follow the arrows of the architecture', async () => {
    expect(await brokenRules('apps', 'libs')).toEqual([]);
  });

  describe('that go where they must not', () => {
    let folder: string;

    beforeAll(async () => {
      folder = await mkdtemp(`${ROOT}libs/kernel/src/trespassing-`);
    });

    afterAll(() => rm(folder, { recursive: true }));

    it('break the rule that says so', async () => {
      const trespasses: Readonly<Record<string, string>> = {
        'kernel-imports-nobody': "import '#scans';",
        'frameworks-only-in-handlers': "import '@nestjs/common';",
        'others-only-through-the-index': "import '../../../scans/src/scan.js';",
        'handlers-are-for-the-api': "import '#scans/handlers';",
        'only-the-composition-knows-adapters': "import '#event-log';",
        'libs-do-not-know-apps': "import '../../../../apps/api/src/api.js';",
        'only-declared-dependencies': "import 'jest';",
      };
      for (const [rule, trespass] of Object.entries(trespasses)) await writeFile(`${folder}/${rule}.ts`, trespass);
      expect(await brokenRules(folder)).toEqual(expect.arrayContaining(Object.keys(trespasses)));
    });
  });
});
