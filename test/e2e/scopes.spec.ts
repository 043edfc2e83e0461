import { expect, test } from '@jest/globals';
import { PRESETS, type Scope } from '#agencies';
import type { ApiClient } from './support/api-client.js';
import { ROUTES, type Route } from './support/routes.js';
import { startService } from './support/start-service.js';

const service = await startService();
const agency = await service.agency();
const creator = await agency.linked();

const ask = ({ method, path, body }: Route, api: ApiClient) => {
  const address = path.replace('{creator}', creator.id).replace('{workspace}', agency.workspaceId);
  return body === undefined ? api.send(method, address) : api.write(method, address, body);
};

const without = (scopes: readonly Scope[]) => PRESETS.read_write.filter((scope) => !scopes.includes(scope));
const name = ({ method, path, scopes }: Route) => [`${method} ${path}`, scopes.join(', ') || 'any valid key'] as const;

test.each(ROUTES.map((route) => [...name(route), route] as const))('%s is open to %s', async (_, __, route) => {
  const { outcome } = await ask(route, await agency.keyWith(route.scopes));
  expect(outcome).not.toMatch(/^40[13]/);
});

test.each(ROUTES.filter(({ scopes }) => scopes.length > 0).map((route) => [...name(route), route] as const))(
  '%s is 403 without %s, whatever else the key may (D15)',
  async (_, __, route) => {
    expect((await ask(route, await agency.keyWith(without(route.scopes)))).outcome).toBe('403 forbidden');
  },
);

test('a read-only key reads everything, and writes nothing (permission presets)', async () => {
  const { api } = await agency.issueKey({ preset: 'read_only' });
  for (const route of ROUTES) {
    const { outcome } = await ask(route, api);
    if (route.method === 'GET') expect(outcome).toMatch(/^200|404 not_found/);
    else expect(outcome).toBe('403 forbidden');
  }
});
