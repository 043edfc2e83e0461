#!/usr/bin/env node
// Compiles the given folders into a new folder `dist-<id>` and points the link `dist` at it. A process that runs goes on
// loading its own build: Node resolves the link when the process starts, and each build has its own package.json, so
// that `#kernel` means the same build as the file that imports it. `--out <folder>` compiles into that folder instead.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');
const PAGE = 'apps/dashboard/web';
const GRACE_MS = 10 * 60 * 1_000;

const { values, positionals } = parseArgs({ options: { out: { type: 'string' } }, allowPositionals: true });
const build = values.out ?? `dist-${Date.now().toString(36)}-${process.pid}`;
const folder = join(ROOT, build);

const run = async (tool, args) => {
  const [status] = await once(
    spawn(join(ROOT, 'node_modules/.bin', tool), args, { cwd: ROOT, stdio: 'inherit' }),
    'exit',
  );
  if (status !== 0) throw new Error(`${tool} failed`);
};

/** An image is built without the repository, so its commit is an argument. */
const commit = () => {
  const git = spawnSync('git', ['describe', '--always', '--abbrev=40', '--dirty', '--exclude=*'], { cwd: ROOT });
  return process.env.COMMIT || git.stdout?.toString().trim() || 'unknown';
};

const compile = async () => {
  const { version, type, imports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  await run('swc', [...positionals, '--ignore', `${PAGE}/**`, '--out-dir', build, '--quiet']);
  const own = Object.entries(imports).map(([name, file]) => [name, file.replace(/\.ts$/, '.js')]);
  const info = { version, commit: commit(), type, imports: Object.fromEntries(own) };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(info));
};

const bundlePage = async () => {
  const config = join(ROOT, PAGE, 'vite.config.mjs');
  if (!existsSync(config)) return;
  await run('vite', ['build', '--config', config, '--outDir', join(folder, PAGE), '--logLevel', 'warn']);
};

/** The page that shows the API's document needs this one file of its package, which is no dependency of the service. */
const copyRedoc = async () => {
  if (!positionals.includes('apps')) return;
  const page = join(folder, 'apps/api/src/openapi/page');
  mkdirSync(page, { recursive: true });
  copyFileSync(join(ROOT, 'node_modules/redoc/bundles/redoc.standalone.js'), join(page, 'redoc.standalone.js'));
};

/** Renaming a link replaces the one before it in one step. */
const publish = () => {
  const link = join(ROOT, `${build}.link`);
  symlinkSync(build, link);
  // A folder of an earlier version of this script cannot be replaced by a link.
  if (existsSync(DIST) && !lstatSync(DIST).isSymbolicLink()) renameSync(DIST, join(ROOT, `dist-0-${process.pid}`));
  renameSync(link, DIST);
};

const isAlive = (pid) => {
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

/** Each process leaves its number in `in-use` when it starts: see apps/service/src/process.ts. */
const isInUse = (old) => {
  if (Date.now() - statSync(old).mtimeMs < GRACE_MS) return true;
  const users = join(old, 'in-use');
  return existsSync(users) && readdirSync(users).some(isAlive);
};

const removeUnused = () => {
  for (const name of readdirSync(ROOT)) {
    if (!/^dist-[0-9a-z]+-\d+$/.test(name) || name === build) continue;
    if (!isInUse(join(ROOT, name))) rmSync(join(ROOT, name), { recursive: true, force: true });
  }
};

const parts = await Promise.allSettled([compile(), bundlePage(), copyRedoc()]);
if (parts.some(({ status }) => status === 'rejected')) {
  rmSync(folder, { recursive: true, force: true });
  process.exit(1);
}
if (values.out === undefined) {
  mkdirSync(join(folder, 'in-use'));
  publish();
  removeUnused();
}
