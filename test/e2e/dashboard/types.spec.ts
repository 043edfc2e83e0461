import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { dashboardRoutes } from '../../support/dashboard-routes.js';
import { Service } from '../support/service.js';
import { Visitor } from '../support/visitor.js';

const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const FILE = pathOf('../../../apps/dashboard/web/api/types.gen.ts');

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

let service: Service;
let document: Document;
beforeAll(async () => {
  service = await Service.start({ provider: 'sandbox' });
  const visitor = await Visitor.signedIn(service);
  document = (await visitor.get('/openapi.json')).body as Document;
});
afterAll(() => service.stop());

/** In a separate process: the generator is larger than all that it is tested with. */
const typesOf = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'dashboard-types-'));
  try {
    const args = [pathOf('../../../scripts/client-types.mjs'), folder];
    execFileSync(process.execPath, args, {
      input: JSON.stringify(document),
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    return await readFile(join(folder, 'types.gen.ts'), 'utf8');
  } finally {
    await rm(folder, { recursive: true });
  }
};

it('the types of the page are those of the document: npm run dashboard:types writes them', async () => {
  const types = await typesOf();
  if (process.env.WRITE_DASHBOARD_TYPES === '1') await writeFile(FILE, types);
  expect(await readFile(FILE, 'utf8')).toBe(types);
});

it('the document has each route of the page, and nothing of the API for agencies', async () => {
  const described = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
  );
  const routes = dashboardRoutes(service.services.app).filter(({ path }) => path.startsWith('/dashboard/api/'));
  expect(described.sort()).toEqual(routes.map(({ method, path }) => `${method} ${path}`).sort());
  const ofAgencies = await (await fetch(`${service.url}/openapi.json`)).text();
  expect(ofAgencies).not.toContain('/dashboard/api');
  for (const name of Object.keys(document.components.schemas)) expect(ofAgencies).not.toContain(`"${name}"`);
});

it('needs a session', async () => {
  const nobody = await Visitor.known(service);
  expect((await nobody.get('/openapi.json')).outcome).toBe('401 session_required');
});
