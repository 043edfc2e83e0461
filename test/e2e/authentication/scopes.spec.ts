import { expect, test } from '@jest/globals';
import type { Scope } from '#agencies';
import { holdingsOf } from '../support/holdings.js';
import { ask, operationsOf } from '../support/operations.js';
import { startService } from '../support/start-service.js';

/** The scope tables of the specification and of D16. */
const SCOPES: Readonly<Record<string, readonly Scope[]>> = {
  'GET /v1/me': [],
  'GET /v1/workspaces/{id}': ['workspaces:read'],
  'GET /v1/creators': ['creators:read'],
  'GET /v1/creators/{id}': ['creators:read'],
  'POST /v1/creators': ['creators:write'],
  'PATCH /v1/creators/{id}': ['creators:write'],
  'DELETE /v1/creators/{id}': ['creators:write'],
  'POST /v1/creators/{id}/resend-invitation': ['creators:write'],
  'PUT /v1/creators/{id}/protection': ['protection:write'],
  'POST /v1/creators/{id}/scans': ['scans:write'],
  'GET /v1/scans/{id}': ['scans:read'],
  'GET /v1/creators/{id}/cases': ['cases:read'],
  'GET /v1/creators/{id}/report': ['cases:read'],
  'GET /v1/creators/{id}/activity': ['cases:read'],
  'GET /v1/creators/{id}/impersonations': ['cases:read'],
  'POST /v1/creators/{id}/impersonations': ['cases:read', 'deindex:write'],
  'POST /v1/cases/{id}/deindex-requests': ['cases:read', 'deindex:write'],
  'GET /v1/deindex-requests/{id}': ['cases:read'],
  'GET /v1/usage': ['usage:read'],
  'GET /v1/capacity': ['usage:read'],
  'GET /v1/events': ['events:read'],
};

const service = await startService();
const agency = await service.agency();
const holdings = await holdingsOf(service, agency);
const operations = await operationsOf(service.url);

test('every route exists, and requires the scopes of the table', () => {
  expect(Object.fromEntries(operations.map(({ name, scopes }) => [name, scopes]))).toEqual(SCOPES);
});

// That it is closed without any one of them is a column of the matrix: see matrix.spec.ts.
test.each(
  operations.map((operation) => [operation.name, operation.scopes.join(', ') || 'any valid key', operation] as const),
)('%s is open to %s', async (_name, _scopes, operation) => {
  const { outcome } = await ask(await agency.keyWith(operation.scopes), operation, holdings);
  expect(outcome).toMatch(/^20[012]$/);
});

test('a read-only key reads everything, and writes nothing (permission presets)', async () => {
  const { api } = await agency.issueKey({ preset: 'read_only' });
  for (const operation of operations) {
    const { outcome } = await ask(api, operation, holdings);
    expect([operation.name, outcome]).toEqual([operation.name, operation.method === 'GET' ? '200' : '403 forbidden']);
  }
});
