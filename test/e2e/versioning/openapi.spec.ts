import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { MINUTE } from '#kernel';
import type { OpenApiDocument } from '../support/documented.js';
import { startService } from '../support/start-service.js';

const DASHBOARD = 'https://dashboard.example';
const service = await startService({ env: { DASHBOARD_URL: DASHBOARD } });
const agency = await service.agency();

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly security: readonly Record<string, readonly string[]>[];
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: {
    readonly content: Record<string, { readonly examples?: Record<string, { value: object }> }>;
  };
  readonly responses: Record<string, { readonly headers: Record<string, unknown> }>;
}

const text = await (await fetch(`${service.url}/openapi.json`)).text();
const document = JSON.parse(text) as OpenApiDocument & { paths: Record<string, Record<string, Operation>> };
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);

test('the document is OpenAPI 3.1, open to all, and can be read as a page', async () => {
  expect(document.openapi).toBe('3.1.0');
  const page = await fetch(`${service.url}/docs`);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/html/)]);
});

test('the document has the version of the package, which is the latest one of the changelog (D103)', () => {
  const file = (name: string) => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');
  const { version } = JSON.parse(file('package.json'));
  expect(document).toMatchObject({ info: { version } });
  expect(/^## (\d\S*)/m.exec(file('CHANGELOG.md'))?.[1]).toBe(version);
});

test('the changelog has the names of operations as the document has them', () => {
  const page = readFileSync(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8');
  const named = [...page.matchAll(/^ *\| `\w+\.\w+` \| `(\w+)` \|$/gm)].map(([, name]) => name);
  expect(named).toHaveLength(21);
  expect(operations.map(({ operation }) => operation.operationId)).toEqual(expect.arrayContaining(named));
});

test('the document links to the agency dashboard', () => {
  expect(document).toMatchObject({ externalDocs: { url: DASHBOARD } });
});

test('docs/api.md lists the same operations with the same scopes', () => {
  const page = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `([A-Z]+ \/v1\/[^`]*)` \| ([^|]*) \|/gm)].map(([, name, scopes = '']) => [
    name,
    [...scopes.matchAll(/`([^`]+)`/g)].map(([, scope]) => scope).sort(),
  ]);
  const described = operations.map(({ method, path, operation }) => [
    `${method} ${path}`,
    operation.security.flatMap(({ apiKey = [] }) => apiKey).sort(),
  ]);
  expect(rows.sort()).toEqual(described.sort());
});

test('a public linter finds nothing wrong with it', async () => {
  const config = await createConfig({ extends: ['recommended'], rules: { 'operation-4xx-response': 'error' } });
  const problems = await lintFromString({ source: text, absoluteRef: 'openapi.json', config });
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
});

test.each(operations.map((each) => [`${each.method} ${each.path}`, each] as const))(
  '%s is described whole',
  (_, { method, operation }) => {
    expect(operation.summary).toMatch(/^[A-Z].+\.$/);
    expect(operation.security).toEqual([{ apiKey: expect.any(Array) }]);
    const statuses = Object.keys(operation.responses);
    const ofAll = ['400', '401', '403', '404', '408', '409', '429', '502', '503', '504'];
    expect(statuses).toEqual(expect.arrayContaining(ofAll));
    // A DELETE takes no body either, but one that is sent is read before that is said (D1, D8).
    if (method !== 'GET') expect(statuses).toEqual(expect.arrayContaining(['413', '415']));
    for (const [status, { headers }] of Object.entries(operation.responses)) {
      const named = [
        ...['X-Request-ID', 'X-SVC-Mode', 'Cache-Control', 'X-Content-Type-Options'],
        status === '401' ? 'WWW-Authenticate' : 'RateLimit-Limit',
        ...(status === '201' || status === '202' ? ['Location'] : []),
      ];
      expect(Object.keys(headers)).toEqual(expect.arrayContaining(named));
    }
    const isWrite = method !== 'GET' && method !== 'DELETE';
    expect(operation.requestBody !== undefined).toBe(isWrite);
    if (isWrite) expect(operation.requestBody?.content['application/json']?.examples).toBeDefined();
  },
);

/** A case that a scan of the agency's found. */
const foundCase = async (): Promise<string> => {
  const creator = await agency.active({ profiles: [{ platform: 'onlyfans', username: 'ivycalloway' }] });
  const scan = await agency.scan(creator.id);
  await agency.scanThatIs('completed', scan.id);
  const { data } = await agency.api.got<{ data: { id: string; scan_id: string | null }[] }>(
    `/v1/creators/${creator.id}/cases`,
  );
  const found = data.find(({ scan_id }) => scan_id === scan.id);
  if (found === undefined) throw new Error('the scan found nothing');
  return found.id;
};

/** Creates the subject of a write operation's path, for that operation alone. */
const subjectOf = async (path: string): Promise<string> => {
  if (path.startsWith('/v1/cases/')) return foundCase();
  if (path.endsWith('/resend-invitation')) {
    const { id } = await agency.invited();
    await service.pass(MINUTE);
    return id;
  }
  return (await agency.active()).id;
};

const examples = operations.flatMap(({ path, method, operation }) =>
  Object.entries(operation.requestBody?.content['application/json']?.examples ?? {}).map(
    ([name, { value }]) => [`${method} ${path}`, name, { path, method, value }] as const,
  ),
);

test.each(examples)('%s: the example of %s is accepted', async (_, name, { path, method, value }) => {
  const userId = await agency.user();
  const body = {
    ...value,
    ...('workspace_id' in value && { workspace_id: agency.workspaceId }),
    ...('svc_user_id' in value && { svc_user_id: userId }),
  };
  const address = path.includes('{id}') ? path.replace('{id}', await subjectOf(path)) : path;
  const exchange = await agency.api.write(method, address, body, { 'idempotency-key': name });
  expect(exchange.outcome).toMatch(/^20[012]$/);
});
