#!/usr/bin/env node
// Writes the types of the client from the OpenAPI document that the build in `dist` serves, and those of the platform
// sandbox from the contract. They are not committed: `npm run client:types` builds the service and makes them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createClient } from '@hey-api/openapi-ts';
import { parse } from 'yaml';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FILE = 'types.gen.ts';

/** The service does not call what it is given: nothing listens on the port for discarded data. */
const NOBODY = { URL: 'http://127.0.0.1:9', TOKEN: 'none' };

const standaloneOptions = (dataDir) => {
  const others = ['NATIVE_PLATFORM', 'SCAN_ENGINE', 'DEINDEX_PROVIDER'].flatMap((service) =>
    Object.entries(NOBODY).map(([name, value]) => [`${service}_${name}`, value]),
  );
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: '0', ...Object.fromEntries(others) };
  return { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'pipe'] };
};

const documentOfBuild = async (dataDir) => {
  const main = join(ROOT, 'dist/apps/standalone/src/main.js');
  const service = spawn(process.execPath, [main], standaloneOptions(dataDir));
  const exited = once(service, 'exit');
  let last = 'it printed nothing';
  try {
    for await (const line of createInterface(service.stderr)) {
      last = line;
      const { url } = JSON.parse(line);
      if (url !== undefined) return await (await fetch(`${url}/openapi.json`)).json();
    }
    throw new Error(`the service did not start: ${last}`);
  } finally {
    service.kill('SIGKILL');
    await exited;
  }
};

/** A set that may grow: its known values, for completion in an editor, or any text. */
const openSet = ({ schema, $ }) => {
  const known = schema['x-extensible-enum'];
  if (known === undefined) return undefined;
  return $.type.or(...known.map((value) => $.type.literal(value)), $.type.and('string', $.type.object()));
};

/** `[string, null]` as two schemas, because the generator forgets the extensions of a type that is a list. */
const withNullsApart = (value) => {
  if (Array.isArray(value)) return value.map(withNullsApart);
  if (typeof value !== 'object' || value === null) return value;
  const schema = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withNullsApart(member)]));
  const { type, description, ...rest } = schema;
  if (!Array.isArray(type) || rest['x-extensible-enum'] === undefined) return schema;
  return { description, anyOf: type.map((each) => (each === 'null' ? { type: each } : { type: each, ...rest })) };
};

const writeTypes = async (document, path) => {
  const folder = join(ROOT, path);
  // Only schemas become types: the client has methods for the operations.
  const { schemas } = document.components;
  await createClient({
    input: withNullsApart({ ...document, paths: {}, webhooks: {}, components: { schemas } }),
    output: {
      path: folder,
      entryFile: false,
      header: ['// Made by scripts/client-types.mjs from the OpenAPI document.'],
    },
    plugins: [{ name: '@hey-api/typescript', enums: false, $resolvers: { string: openSet } }],
    logs: { level: 'silent' },
  });
  const types = readFileSync(join(folder, FILE), 'utf8');
  // A comment of one line as one line.
  writeFileSync(join(folder, FILE), types.replaceAll(/\/\*\*\n +\* (.*)\n +\*\//g, '/** $1 */'));
};

const contract = parse(readFileSync(join(ROOT, 'contracts/native-platform.openapi.yaml'), 'utf8'));
await writeTypes(contract, 'apps/platform-sandbox/src/contract/generated');

const dataDir = mkdtempSync(join(tmpdir(), 'client-types-'));
try {
  await writeTypes(await documentOfBuild(dataDir), 'libs/client/src/generated');
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
