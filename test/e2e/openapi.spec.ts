import { expect, test } from '@jest/globals';
import { startService } from './support/start-service.js';

const service = await startService();

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly security: readonly Record<string, readonly string[]>[];
  readonly responses: Record<string, { headers: object; content: Record<string, unknown> }>;
}

interface Document {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { schemas: Record<string, unknown> };
}

const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as Document;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
);

test('the document is OpenAPI 3.1, and open to all', async () => {
  expect(document.openapi).toBe('3.1.0');
  expect((await fetch(`${service.url}/docs`)).status).toBe(200);
});

test.each(operations.map(({ name, operation }) => [name, operation] as const))('%s is whole', (_, operation) => {
  expect(operation.summary).toMatch(/\.$/);
  expect(['0.2.0', '0.8.0']).toContain(operation.tags[0]);
  expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['400', '401', '429', '502', '503', '504']));
});
