import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, matchesGlob, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { AppProcess, runToEnd } from '../crash/support/processes.js';
import { DIST } from '../support/mains.js';
import { filesBelow } from './support/files.js';

// Four processes start one after another.
jest.setTimeout(60_000);

/** Writes down each file of the build that a process or one of its threads loads, whenever it does. */
const RECORDER = `
  import { appendFileSync } from 'node:fs';
  import { registerHooks } from 'node:module';
  registerHooks({
    load(url, context, next) {
      if (url.startsWith('file:')) appendFileSync(process.env.RECORD, url + '\\n');
      return next(url, context);
    },
  });
`;
const IMPORT = /(?:from|import)\s*\(?\s*'([#.][^']+)'|new URL\('(\.[^']+\.thread\.js)'/g;

const dockerfile = readFileSync('Dockerfile', 'utf8');
const ignored = readFileSync('.dockerignore', 'utf8').split('\n').filter(Boolean);
const build = realpathSync(DIST);

/** Whether the file, or a folder that it is in, is kept out of the image's build. */
const isIgnored = (file: string): boolean =>
  ignored.some((pattern) => matchesGlob(file, pattern) || matchesGlob(file, `${pattern}/**`));

/** Vite makes other files of the page's sources. */
const isOfPage = (file: string): boolean => file.startsWith('apps/dashboard/web/');

/** Types that are made after the build. */
const isGenerated = (file: string): boolean => file.includes('/generated/');

/** The compiled files that only one target has, from the folders that its stages copy. */
const copiedTo = (...stages: readonly string[]): string[] => {
  const sections = dockerfile.split(/^FROM \S+ AS /m).filter((text) => stages.some((stage) => text.startsWith(stage)));
  const folders = sections.join('').matchAll(/^COPY --from=build \/app\/dist\/(\S+) /gm);
  return [...folders]
    .flatMap(([, folder = '']) => (folder === 'package.json' ? [] : filesBelow(folder)))
    .filter(
      (file) =>
        file.endsWith('.ts') && !file.endsWith('.d.ts') && !isIgnored(file) && !isOfPage(file) && !isGenerated(file),
    )
    .map((file) => file.replace(/\.ts$/, '.js'))
    .sort();
};

/** A file of types alone compiles to nothing, and nobody imports it. */
const hasCode = (file: string): boolean =>
  /^(?!\/\/|export \{\s*\};?$)\S/m.test(readFileSync(join(build, file), 'utf8').replace(/\/\*[\s\S]*?\*\//g, ''));

/** Returns the files of the build that these files import, including dynamic imports and threads. */
const reachableFrom = (mains: readonly string[]): Set<string> => {
  const reached = new Set<string>();
  const visit = (file: string): void => {
    if (reached.has(file)) return;
    reached.add(file);
    for (const [, name, thread] of readFileSync(join(build, file), 'utf8').matchAll(IMPORT)) {
      const imported = name ?? thread ?? '';
      const [lib = '', entry = 'index'] = imported.slice(1).split('/');
      const ofLib = entry === 'module' ? `${lib}.module` : entry;
      visit(imported.startsWith('#') ? `libs/${lib}/src/${ofLib}.js` : join(dirname(file), imported));
    }
  };
  for (const main of mains) visit(main);
  return reached;
};

describe('the image', () => {
  const service = copiedTo('base', 'service');
  const sandbox = copiedTo('base', 'sandbox');
  let folder: string;
  let environment: Record<string, string>;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'image-'));
    const recorder = join(folder, 'recorder.mjs');
    writeFileSync(recorder, RECORDER);
    environment = {
      NODE_OPTIONS: `--import ${pathToFileURL(recorder).href}`,
      RECORD: join(folder, 'record'),
      DATA_DIR: join(folder, 'data'),
      PORT: '0',
      OPS_PORT: '0',
      SANDBOX_PORT: '0',
    };
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const loadedBy = async (run: () => Promise<unknown>): Promise<string[]> => {
    writeFileSync(join(folder, 'record'), '');
    await run();
    const urls = readFileSync(join(folder, 'record'), 'utf8').split('\n');
    const prefix = `${pathToFileURL(build).href}/`;
    return [...new Set(urls.filter((url) => url.startsWith(prefix)).map((url) => url.slice(prefix.length)))];
  };

  const startAndStop = async (app: 'api' | 'worker') => {
    const started = new AppProcess(app, environment);
    await started.ready();
    expect(await started.stop()).toBe(0);
  };

  it.each(['api', 'worker'] as const)('has all that the %s loads, its threads too', async (app) => {
    const loaded = await loadedBy(() => startAndStop(app));
    expect(loaded).toContain(`apps/${app}/src/main.js`);
    expect(loaded.filter((file) => !service.includes(file))).toEqual([]);
  });

  it('has all that the tool loads', async () => {
    const loaded = await loadedBy(() => runToEnd('cli', ['keys', 'list', '--agency', 'none'], environment));
    expect(loaded).toContain('apps/cli/src/stores/with-operator.js');
    expect(loaded.filter((file) => !service.includes(file))).toEqual([]);
  });

  it('has nothing that none of them can load: no test, double, bench or test key', () => {
    const mains = ['api', 'worker', 'cli'].map((app) => `apps/${app}/src/main.js`);
    const reachable = reachableFrom(mains);
    expect(service.filter((file) => !reachable.has(file) && hasCode(file))).toEqual([]);
    expect([...reachable].filter((file) => !service.includes(file))).toEqual([]);
  });

  it('of the sandbox has what the sandbox can load, and is another one', () => {
    const reachable = reachableFrom(['apps/platform-sandbox/src/main.js']);
    const own = (files: Iterable<string>) =>
      [...files].filter((file) => file.startsWith('apps/platform-sandbox/')).sort();
    expect(own(sandbox).filter((file) => !reachable.has(file) && hasCode(file))).toEqual([]);
    expect([...reachable].filter((file) => !sandbox.includes(file))).toEqual([]);
    expect(own(service)).toEqual([]);
  });

  it('compares files that exist', () => {
    expect(relative(process.cwd(), build)).toMatch(/^dist-/);
    expect(service.length).toBeGreaterThan(300);
  });
});
