#!/usr/bin/env node
// Packs the client, installs the tarball into an empty project, and uses it there on each runtime with a real service:
// Node 24, and Node 22, Bun and Deno from their npm packages. One that cannot be had is skipped by its name. Packing
// makes a build in dist.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { minifySync, transformSync } from '@swc/core';

const here = fileURLToPath(new URL('.', import.meta.url));
const ROOT = join(here, '../..');
const MAX_MINIFIED = 40_000;
const TIMEOUT = 300_000;

const work = mkdtempSync(join(tmpdir(), 'client-package-'));
const project = join(work, 'project');
const say = (text) => process.stdout.write(`${text}\n`);
const run = (command, args, options = {}) =>
  execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], timeout: TIMEOUT, ...options });
const npm = (cwd, ...args) => run('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], { cwd });

const pack = () => {
  npm(join(ROOT, 'libs/client'), 'pack', '--ignore-scripts=false', '--pack-destination', work);
  const [tarball] = globSync(join(work, '*.tgz'));
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }');
  npm(project, 'install', '--ignore-scripts', tarball);
  return join(project, 'node_modules/@creator-protection/client');
};

const checkContents = (installed) => {
  const { dependencies, peerDependencies, version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  if (dependencies ?? peerDependencies) throw new Error('the package has dependencies');
  const version24 = readFileSync(join(installed, 'dist/version.js'), 'utf8');
  if (!version24.includes(`'${version}'`)) throw new Error(`dist/version.js has not the version ${version}`);
  const foreign = globSync('**/*', { cwd: installed }).filter((file) => /spec|fixtures|tsconfig/.test(file));
  if (foreign.length > 0) throw new Error(`the package has ${foreign}`);
  const sizes = globSync('dist/**/*.js', { cwd: installed }).map((file) => {
    const { code } = minifySync(readFileSync(join(installed, file), 'utf8'), {
      module: true,
      compress: true,
      mangle: true,
    });
    return code.length;
  });
  const size = sizes.reduce((sum, each) => sum + each, 0);
  say(`${size} bytes minified in ${sizes.length} modules, of at most ${MAX_MINIFIED}`);
  if (size > MAX_MINIFIED) throw new Error('the package is too large');
};

const checkTypes = () => {
  npm(project, 'install', '--ignore-scripts', 'undici@7', 'node-fetch@3', '@types/node@24');
  cpSync(join(here, 'typed.txt'), join(project, 'typed.ts'));
  const strict = [
    '--strict',
    '--exactOptionalPropertyTypes',
    '--noEmit',
    '--target',
    'es2022',
    '--lib',
    'es2022,dom',
    'typed.ts',
  ];
  for (const resolution of [
    ['--module', 'nodenext'],
    ['--module', 'esnext', '--moduleResolution', 'bundler'],
  ]) {
    const { status, stdout } = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), [...strict, ...resolution], {
      cwd: project,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stdout);
  }
  say('types: nodenext and bundler');
};

/** The command of each runtime; undefined where its package cannot be had. */
const runtimes = () => {
  const fetched = (name, file, ...args) => {
    const folder = join(work, name.replaceAll(/\W/g, '-'));
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    try {
      npm(folder, 'install', '--ignore-scripts', name);
      const command = join(folder, 'node_modules', name.replace(/(.)@.*$/, '$1'), file);
      return run(command, ['--version']) && [command, ...args];
    } catch {
      return undefined;
    }
  };
  const platform = `${process.platform}-${process.arch}`;
  return {
    'Node 24': [process.execPath],
    'Node 22': fetched(`node-${platform}@22`, 'bin/node'),
    Bun: fetched(`@oven/bun-${platform}`, 'bin/bun'),
    Deno: fetched(
      `@deno/${platform}${process.platform === 'linux' ? '-glibc' : ''}`,
      'deno',
      'run',
      '--allow-all',
      '--node-modules-dir=manual',
    ),
  };
};

/** Starts the service as `npm start` does and returns its address and key. */
const startService = async () => {
  const dataDir = mkdtempSync(join(work, 'data-'));
  // In an empty folder it would first write a month of history, which leaves too few creators to enroll.
  writeFileSync(join(dataDir, 'not-empty'), '');
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: '0', SANDBOX_PORT: '0' };
  const main = join(ROOT, 'dist/apps/standalone/src/demo-start.js');
  const service = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  for await (const chunk of service.stdout) {
    printed += chunk;
    if (/NATIVE_PLATFORM_TOKEN=\S+\s/.test(printed)) break;
  }
  const { url, key } = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8'));
  const stop = async () => {
    service.kill('SIGKILL');
    if (service.exitCode === null && service.signalCode === null) await once(service, 'exit');
  };
  return { url, key, stop };
};

/** The code that a newcomer reads first, as it is in the README of the package, with what it says the reader has. */
const newcomer = (installed) => {
  const readme = readFileSync(join(installed, 'README.md'), 'utf8');
  const [, typed] = /```ts\n(.*?)```/s.exec(readme);
  const lines = typed.split('\n').filter((line) => line !== '' && !line.startsWith('//'));
  if (lines.length > 10) throw new Error(`the first code of the README has ${lines.length} lines`);
  const { code } = transformSync(typed, { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, swcrc: false });
  return `import { createHmac } from 'node:crypto';
${code}
const [body, t] = ['{"id":"evt_1","type":"ping","data":{}}', Math.floor(Date.now() / 1_000)];
const hmac = createHmac('sha256', WEBHOOK_SECRET).update(\`\${t}.\${body}\`).digest('hex');
const headers = { 'x-svc-signature': \`t=\${t},v1=\${hmac}\` };
const event = await receive(new Request('https://agency.example', { method: 'POST', body, headers }));
if (event.type !== 'ping' || (await client.creators.get(creator.id)).enrollment_status !== 'invited') process.exit(1);
`;
};

/** Checks the README's statements about CommonJS and Jest. */
const checkCommonJs = (installed) => {
  const [, config] = /```js\n(module.*?)```/s.exec(readFileSync(join(installed, 'README.md'), 'utf8'));
  const folder = join(project, 'commonjs');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  writeFileSync(join(folder, 'jest.config.js'), config);
  const code = `const { isApiError } = require('@creator-protection/client');
const { verifyWebhook } = require('@creator-protection/client/webhooks');\n`;
  writeFileSync(join(folder, 'required.js'), `${code}if (isApiError(1) || !verifyWebhook) process.exit(1);`);
  writeFileSync(
    join(folder, 'required.test.js'),
    `${code}test('is there', () => expect([isApiError(1), typeof verifyWebhook]).toEqual([false, 'function']));`,
  );
  npm(folder, 'install', '--ignore-scripts', 'jest@30', '@swc/core@1', '@swc/jest@0.2');
  const env = { ...process.env, NODE_OPTIONS: '' };
  run(process.execPath, ['required.js'], { cwd: folder, env });
  run(process.execPath, ['node_modules/jest/bin/jest.js'], { cwd: folder, env });
  say('CommonJS and Jest');
};

try {
  const installed = pack();
  checkContents(installed);
  checkTypes();
  checkCommonJs(installed);
  cpSync(installed, join(project, 'copy'), { recursive: true });
  cpSync(join(here, 'probe.mjs'), join(project, 'probe.mjs'));
  writeFileSync(join(project, 'newcomer.mjs'), newcomer(installed));
  for (const [name, command] of Object.entries(runtimes())) {
    if (command === undefined) {
      say(`skipped: ${name}, whose npm package cannot be had here`);
      continue;
    }
    const service = await startService();
    const env = {
      ...process.env,
      NODE_OPTIONS: '',
      SVC_URL: service.url,
      SVC_KEY: service.key,
      WEBHOOK_SECRET: `whsec_${'B'.repeat(43)}=`,
      RUNTIME: name,
    };
    const [program, ...args] = command;
    try {
      for (const file of ['newcomer.mjs', 'probe.mjs']) run(program, [...args, file], { cwd: project, env });
      say(`${name}: ${run(program, ['--version']).split('\n')[0]}`);
    } finally {
      await service.stop();
    }
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
