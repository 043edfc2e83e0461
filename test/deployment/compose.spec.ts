import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { readConfig } from '#configuration';

interface Container {
  readonly image?: string;
  readonly build?: { readonly context: string; readonly target: string };
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly command?: readonly string[];
  /** Without a value, a variable is passed on if it is set. */
  readonly environment?: Readonly<Record<string, string | null>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly volumes?: readonly string[];
  readonly profiles?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly deploy?: { readonly replicas: number };
}

// No container engine runs here: what can be wrong in the files themselves is looked for.
const compose = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true }) as {
  readonly services: Readonly<Record<string, Container>>;
  readonly volumes: Readonly<Record<string, null>>;
};
const dockerfile = readFileSync('Dockerfile', 'utf8');
const { engines, scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly engines: { readonly node: string };
  readonly scripts: Readonly<Record<string, string>>;
};
const SECRETS: Readonly<Record<string, string>> = {
  MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
  NATIVE_PLATFORM_TOKEN: 'a-secret',
};
const services = Object.entries(compose.services);
const ours = services.filter(([, { build }]) => build !== undefined);

/** As it is with only the secrets given. */
const filled = (environment: Readonly<Record<string, string | null>> = {}): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      value
        ?.replace(
          /\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}/g,
          (_, variable: string, otherwise: string) => SECRETS[variable] ?? otherwise ?? '',
        )
        .replace(/\$(\w+)/g, (_, variable: string) => SECRETS[variable] ?? ''),
    ]),
  );

test('two APIs and two workers share the stores, and only the sandbox has to be asked for', () => {
  expect(Object.keys(compose.services).sort()).toEqual(['api', 'eventstoredb', 'mongodb', 'sandbox', 'worker']);
  for (const name of ['api', 'worker']) {
    expect(compose.services[name]?.deploy).toEqual({ replicas: 2 });
    expect(compose.services[name]?.depends_on).toEqual({
      eventstoredb: { condition: 'service_healthy' },
      mongodb: { condition: 'service_healthy' },
    });
  }
  expect(services.filter(([, { profiles }]) => profiles).map(([name]) => name)).toEqual(['sandbox']);
});

test.each(ours)('%s runs a program that there is, out of an image that can be built', (_, { command = [] }) => {
  expect(command[0]).toBe('node');
  const file = command.at(-1) ?? '';
  expect(existsSync(file.replace(/^dist\//, '').replace(/\.js$/, '.ts'))).toBe(true);
});

test.each(ours)('%s is started as by npm, with options that Node has', (name, { command = [] }) => {
  const [, variables = '', started] = /^((?:\w+=\S+ )*)(.*)$/.exec(scripts[`start:${name}`] ?? '') ?? [];
  expect(command.join(' ')).toBe(started);
  // npm sets what the image sets.
  for (const [, variable = '', value = ''] of variables.matchAll(/(\w+)=(?:\$\{\w+:-)?(\w+)/g)) {
    expect(dockerfile).toMatch(new RegExp(`^ENV .*\\b${variable}=${value}\\b`, 'm'));
  }
  const { stderr, status } = spawnSync(process.execPath, [...command.slice(1, -1), '--eval', ''], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});

test('D113: no script and no image starts a process in which SIGUSR1 opens an inspector', () => {
  const starts = Object.entries(scripts).filter(([name]) => name.startsWith('start'));
  expect(starts.filter(([, script]) => !script.includes('node --disable-sigusr1 '))).toEqual([]);
  const [, options = ''] = /^ENV NODE_OPTIONS=(.+)$/m.exec(dockerfile.split(/^FROM \S+ AS base$/m)[1] ?? '') ?? [];
  const env = { NODE_OPTIONS: options };
  expect(options).toBe('--disable-sigusr1');
  expect(spawnSync(process.execPath, ['--eval', ''], { env, encoding: 'utf8' })).toMatchObject({
    status: 0,
    stderr: '',
  });
});

test.each(['api', 'worker'])('%s is configured by variables that there are, with values that they take', (name) => {
  const environment = filled(compose.services[name]?.environment);
  const known = readFileSync('libs/configuration/src/config.ts', 'utf8');
  for (const variable of Object.keys(environment)) expect(known).toContain(`  ${variable}: `);
  expect(readConfig(environment)).toMatchObject({
    eventStoreDbUrl: 'esdb://eventstoredb:2113?tls=false',
    mongoDbUrl: 'mongodb://mongodb:27017/creator_protection',
    platform: { url: 'http://sandbox:4010', token: 'a-secret' },
    engine: undefined,
    search: undefined,
  });
});

test('the sandbox is configured by variables that it knows', () => {
  const known = readFileSync('apps/platform-sandbox/src/sandbox-config.ts', 'utf8');
  for (const variable of Object.keys(compose.services.sandbox?.environment ?? {})) expect(known).toContain(variable);
});

test.each(services)('%s says whether it is well', (name, { healthcheck }) => {
  const ofTheImage = name === 'api' ? /HEALTHCHECK[\s\S]*\/health\/live/.test(dockerfile) : false;
  expect(ofTheImage || healthcheck !== undefined).toBe(true);
});

test.each(['127.0.0.1', '0.0.0.0', '::1', '::'])(
  'D113: the health check of the image follows HOST=%s',
  async (HOST) => {
    let status = 200;
    const server = createServer((request, response) => {
      response.writeHead(request.url === '/health/live' ? status : 404).end();
    });
    await once(server.listen(0, HOST), 'listening');
    const { port } = server.address() as AddressInfo;
    const [, command = ''] = /HEALTHCHECK .*\\\n +CMD (\[.*\])$/m.exec(dockerfile) ?? [];
    const [, ...args] = JSON.parse(command) as string[];
    const check = async () => {
      const env = { HOST, PORT: String(port) };
      return (await once(spawn(process.execPath, args, { env, stdio: 'ignore' }), 'exit'))[0];
    };
    expect(await check()).toBe(0);
    status = 503;
    expect(await check()).toBe(1);
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
    expect(await check()).toBe(1);
  },
);

test.each(ours)('%s can write nowhere but to its volumes, and has no rights to gain', (_, container) => {
  expect(container).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
});

test.each(['start:api', 'start:worker'])(
  'npm run %s is for production where NODE_ENV does not say otherwise',
  (name) => {
    // Its variables, as the shell sets them, for a command that prints one of them.
    const command = scripts[name]?.replace(/(?:^| )node .*/, ' printenv NODE_ENV') ?? '';
    const { PATH } = process.env;
    const environments = [{ PATH }, { PATH, NODE_ENV: '' }, { PATH, NODE_ENV: 'development' }];
    const printed = environments.map((env) => execFileSync('sh', ['-c', command], { env, encoding: 'utf8' }));
    expect(printed).toEqual(['production\n', 'production\n', 'development\n']);
  },
);

test('the image is for production', () => {
  expect(dockerfile.match(/^ENV .*NODE_ENV=.*$/gm)).toEqual([expect.stringMatching(/ NODE_ENV=production( |$)/)]);
});

test('the image has the list of its packages with them', () => {
  const stages = dockerfile.split(/^(?=FROM )/m);
  const stage = (name: string) => stages.find((text) => text.split('\n', 1)[0]?.endsWith(` AS ${name}`)) ?? '';
  expect(stage('packages')).toMatch(/^RUN npm ci --ignore-scripts --omit=dev .*&& npm run -s sbom > sbom\.cdx\.json$/m);
  expect(stage('base')).toContain('COPY --from=packages /app/sbom.cdx.json ./\n');
  expect(scripts.sbom).toMatch(/^npm sbom --omit dev /);
});

test('no secret has a default', () => {
  for (const [, { environment = {} }] of services) {
    for (const [name, value] of Object.entries(environment)) {
      if (/TOKEN|MASTER_KEY|PASSWORD|SECRET/.test(name))
        expect([name, value ?? '']).toEqual([name, expect.stringMatching(/^(\$\{\w+:\?.+\})?$/)]);
    }
  }
});

test('what has to be kept is on volumes that there are', () => {
  const mounted = services.flatMap(([, { volumes = [] }]) => volumes.map((volume) => volume.split(':')[0]));
  expect(mounted.sort()).toEqual(Object.keys(compose.volumes).sort());
});

test('the image is made of files that there are, and runs on the Node that is asked for, as nobody special', () => {
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources = '']) =>
    sources.split(' '),
  );
  expect(copied.filter((source) => !existsSync(source))).toEqual([]);
  const stages = [...dockerfile.matchAll(/^FROM node:(\d+)/gm)].map(([, major]) => major);
  expect(new Set(stages)).toEqual(new Set([/\d+/.exec(engines.node)?.[0]]));
  // Everything that the image's build compiles has been copied.
  const compiled = /--out dist (.+)$/.exec(scripts['build:image'] ?? '')?.[1]?.split(' ') ?? [];
  expect(compiled).not.toEqual([]);
  expect(compiled.filter((folder) => !copied.includes(folder))).toEqual([]);
  expect(dockerfile).toContain('npm ci --ignore-scripts --omit=dev');
  const base = dockerfile.split(/^(?=FROM )/m).find((stage) => /^FROM \S+ AS base$/m.test(stage));
  expect(base).toContain('\nUSER 1000:1000\n');
  expect(dockerfile.match(/^FROM base AS .*$/gm)).toEqual(['FROM base AS sandbox', 'FROM base AS service']);
  expect(dockerfile.match(/^USER .*$/gm)).toEqual(['USER 1000:1000']);
});
