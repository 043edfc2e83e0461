import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';

const { allowScripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly allowScripts: Readonly<Record<string, boolean>>;
};
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  readonly packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>>;
};

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const npm = (cwd: string, ...args: string[]) => {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
  return spawnSync('npm', args, { cwd, env: { ...env, npm_config_cache: join(cwd, 'cache') }, encoding: 'utf8' });
};

/** Installs a package whose script leaves a file, with the settings of this project. */
const install = (isAllowed?: boolean) => {
  const folder = mkdtempSync(join(tmpdir(), 'install-scripts-'));
  folders.push(folder);
  const hasRun = join(folder, 'has-run');
  mkdirSync(join(folder, 'package'));
  const scripts = { postinstall: `touch ${hasRun}` };
  writeFileSync(join(folder, 'package/package.json'), JSON.stringify({ name: 'scripted', version: '1.0.0', scripts }));
  execFileSync('tar', ['-czf', 'scripted.tgz', 'package'], { cwd: folder });
  copyFileSync('.npmrc', join(folder, '.npmrc'));
  const scripted = `file:${realpathSync(folder)}/scripted.tgz`;
  const listed = isAllowed === undefined ? allowScripts : { [scripted]: isAllowed };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies: { scripted }, allowScripts: listed }));
  const { status, stderr } = npm(folder, 'install', '--offline');
  return { status, stderr, hasRun: existsSync(hasRun) };
};

test('each package with an install script is listed, and only that of Node may run', () => {
  const scripted = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript);
  const names = scripted.map(([path]) => path.replace(/^.*node_modules\//, ''));
  expect(Object.keys(allowScripts).sort()).toEqual([...new Set(names)].sort());
  expect(Object.keys(allowScripts).filter((name) => allowScripts[name])).toEqual(['node']);
});

test('image and CI run no script of a package that is not listed, whichever npm they have', () => {
  const installs = ['Dockerfile', '.ci/run'].flatMap((file) => readFileSync(file, 'utf8').match(/\bnpm ci\b.*/g) ?? []);
  expect(installs).toHaveLength(3);
  for (const command of installs) expect(command).toContain('npm ci --ignore-scripts');
});

// An npm that is older than the setting ignores it, see docs/contributing.md.
const onThisNpm = npm('.', 'ci', '--help').stdout.includes('--strict-allow-scripts') ? test : test.skip;

onThisNpm('an installation fails where a script is not listed, and nothing has run', () => {
  expect(install()).toEqual({ status: 1, stderr: expect.stringContaining('ESTRICTALLOWSCRIPTS'), hasRun: false });
});

onThisNpm.each([true, false])('a script that is listed as %s runs only if that says so', (isAllowed) => {
  const { status, hasRun } = install(isAllowed);
  expect([status, hasRun]).toEqual([0, isAllowed]);
});
