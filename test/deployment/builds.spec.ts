import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const MAIN = `
  import { createInterface } from 'node:readline';
  import { Worker } from 'node:worker_threads';
  import { markBuildInUse } from '../../service/src/process.js';
  markBuildInUse();
  console.log('ready');
  createInterface({ input: process.stdin }).once('line', async () => {
    const late = [(await import('./late.js')).version, (await import('#words')).version];
    new Worker(new URL('./late.thread.js', import.meta.url)).once('message', (version) => {
      console.log([...late, version].join(' '));
    });
  });
  process.stdin.on('end', () => process.exit());
`;
const THREAD = `
  import { parentPort } from 'node:worker_threads';
  import { version } from '#words';
  parentPort?.postMessage(version);
`;

describe('a build while a process runs', () => {
  let root: string;
  let children: ChildProcess[];

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'builds-'));
    children = [];
    for (const folder of ['scripts', 'apps/main/src', 'apps/service/src', 'libs/words/src']) {
      mkdirSync(join(root, folder), { recursive: true });
    }
    for (const file of ['scripts/build.mjs', 'apps/service/src/process.ts', '.swcrc']) {
      copyFileSync(file, join(root, file));
    }
    symlinkSync(join(process.cwd(), 'node_modules'), join(root, 'node_modules'));
    const imports = { '#*': './libs/*/src/index.ts' };
    writeFileSync(join(root, 'package.json'), JSON.stringify({ type: 'module', version: '1.0.0', imports }));
    writeFileSync(join(root, 'apps/main/src/main.ts'), MAIN);
    writeFileSync(join(root, 'apps/main/src/late.thread.ts'), THREAD);
  });
  afterEach(() => {
    for (const child of children) child.kill('SIGKILL');
    rmSync(root, { recursive: true });
  });

  const build = (version: string) => {
    for (const file of ['apps/main/src/late.ts', 'libs/words/src/index.ts']) {
      writeFileSync(join(root, file), `export const version = '${version}';`);
    }
    execFileSync(process.execPath, ['scripts/build.mjs', 'apps', 'libs'], { cwd: root, stdio: 'pipe' });
  };

  const start = async () => {
    const child = spawn(process.execPath, ['dist/apps/main/src/main.js'], {
      cwd: root,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    children.push(child);
    const lines = createInterface({ input: child.stdout });
    await once(lines, 'line');
    return {
      async lateVersions(): Promise<string> {
        child.stdin.write('\n');
        const [line] = await once(lines, 'line');
        return String(line);
      },
      async end(): Promise<void> {
        child.stdin.end();
        await once(child, 'exit');
      },
    };
  };

  const builds = () => readdirSync(root).filter((name) => name.startsWith('dist-'));
  const makeOld = () => {
    for (const name of builds()) utimesSync(join(root, name), new Date(0), new Date(0));
  };

  it('leaves it its own files for what it imports late and for its threads', async () => {
    build('first');
    const first = await start();
    build('second');
    const second = await start();
    expect(await first.lateVersions()).toBe('first first first');
    expect(await second.lateVersions()).toBe('second second second');
  });

  it('removes the builds that no process uses any more', async () => {
    build('first');
    const first = await start();
    makeOld();
    build('second');
    expect(builds()).toHaveLength(2);
    await first.end();
    makeOld();
    build('third');
    expect(builds()).toHaveLength(1);
  });

  it('that fails leaves the build before it in place', async () => {
    build('first');
    writeFileSync(join(root, 'apps/main/src/broken.ts'), 'export const = ;');
    expect(() => build('second')).toThrow();
    expect(builds()).toHaveLength(1);
    expect(await (await start()).lateVersions()).toBe('first first first');
  });
});
