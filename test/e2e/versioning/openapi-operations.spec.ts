import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { PUBLIC_EVENT_TYPES } from '#event-feed';
import { closedDocument } from '../../fuzz/closed-document.js';
import { startService } from '../support/start-service.js';

interface Content {
  readonly schema: { readonly $ref?: string };
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown; readonly $ref?: string }>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly 'x-api-version': string;
  readonly 'x-scopes': readonly string[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly description?: string;
    readonly schema: Typed & { readonly example?: unknown };
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Readonly<Record<string, Content>> }>
  >;
}

interface Typed {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Typed>>;
}

interface Document {
  readonly info: object;
  readonly servers: readonly object[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: {
    readonly schemas: Record<string, Typed & object>;
    readonly examples: Readonly<Record<string, { readonly value: { readonly error: { readonly code: string } } }>>;
  };
}

const DASHBOARD = 'https://dashboard.example';
const service = await startService({ env: { DASHBOARD_URL: DASHBOARD } });
const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as Document;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
);

const NAMES = {
  'GET /v1/me': 'Connection getConnection 0.2.0',
  'GET /v1/workspaces/{id}': 'Workspaces getWorkspace 0.2.0',
  'POST /v1/creators': 'Creators enrollCreator 0.2.0',
  'GET /v1/creators': 'Creators listCreators 0.2.0',
  'GET /v1/creators/{id}': 'Creators getCreator 0.2.0',
  'PATCH /v1/creators/{id}': 'Creators updateCreator 0.2.0',
  'DELETE /v1/creators/{id}': 'Creators removeCreator 0.8.0',
  'PUT /v1/creators/{id}/protection': 'Creators setProtection 0.2.0',
  'POST /v1/creators/{id}/resend-invitation': 'Creators resendInvitation 0.8.0',
  'POST /v1/creators/{id}/scans': 'Scans queueScan 0.2.0',
  'GET /v1/scans/{id}': 'Scans getScan 0.2.0',
  'GET /v1/creators/{id}/cases': 'Cases listCases 0.2.0',
  'GET /v1/creators/{id}/activity': 'Cases listActivity 0.8.0',
  'GET /v1/creators/{id}/report': 'Cases getReport 0.8.0',
  'POST /v1/cases/{id}/deindex-requests': 'Deindexing createDeindexRequest 0.2.0',
  'GET /v1/deindex-requests/{id}': 'Deindexing getDeindexRequest 0.2.0',
  'GET /v1/creators/{id}/impersonations': 'Impersonations listImpersonations 0.8.0',
  'POST /v1/creators/{id}/impersonations': 'Impersonations reportImpersonation 0.8.0',
  'GET /v1/usage': 'Usage getUsage 0.2.0',
  'GET /v1/capacity': 'Usage getCapacity 0.8.0',
  'GET /v1/events': 'Events listEvents 0.2.0',
};

test('each operation is under its resource, has the name of what it does, and says which reference describes it', () => {
  const named = operations.map(([route, { tags, operationId, 'x-api-version': version }]) => [
    route,
    `${tags.join()} ${operationId} ${version}`,
  ]);
  expect(Object.fromEntries(named)).toEqual(NAMES);
});

test('the tags are the resources, in the order in which they are read, each with a description', () => {
  expect(document.tags.map(({ name }) => name)).toEqual([
    'Connection',
    'Workspaces',
    'Creators',
    'Scans',
    'Cases',
    'Deindexing',
    'Impersonations',
    'Usage',
    'Events',
  ]);
  for (const { description } of document.tags) expect(description).toMatch(/^[A-Z].+\.$/s);
});

test('the document says whose it is, and takes the address of the service as a variable', () => {
  expect(document.info).toMatchObject({
    description: expect.any(String),
    license: { name: expect.any(String), identifier: expect.any(String) },
    contact: { name: expect.any(String), url: DASHBOARD },
  });
  expect(document.servers).toEqual([
    { url: '{base_url}', variables: { base_url: { default: expect.any(String), description: expect.any(String) } } },
  ]);
});

test.each(operations)('%s says in words what it does and which scope it needs', (_, operation) => {
  const { description, 'x-scopes': scopes } = operation;
  const [, named = ''] = /(?:^|\n\n)Scope: (.+)\.$/.exec(description) ?? [];
  expect(description.length).toBeGreaterThan(named.length + 40);
  expect(named).toBe(scopes.map((scope) => `\`${scope}\``).join(' and ') || 'any valid key');
  for (const { description: about } of operation.parameters ?? []) expect(about).toMatch(/^[A-Z].+\.$/s);
});

test.each(operations)(
  '%s refers to one shape for all errors, and names their codes in words',
  (route, { responses }) => {
    for (const [status, { description, content }] of Object.entries(responses)) {
      if (status.startsWith('2')) continue;
      const { schema, examples = {} } = content?.['application/json'] ?? {};
      expect(schema).toEqual({ $ref: '#/components/schemas/Error' });
      if (Object.keys(examples).length === 0) {
        expect(`${route} ${status}`).toMatch(/^GET .+ (?:404|409)$/);
        expect(description).toMatch(/^No error code has this status here today\./);
      }
      for (const [code, { $ref }] of Object.entries(examples)) {
        expect(description).toContain(`\`${code}\``);
        expect($ref).toBe(`#/components/examples/${code}`);
        expect(document.components.examples[code]?.value.error.code).toBe(code);
      }
    }
  },
);

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
const closed = closedDocument(document);
ajv.addSchema({ $id: 'api', components: closed.components });
/** The schema of a name that there is not. */
const NOTHING = { not: {} };
const problemsOf = (schema: object, value: unknown) => {
  const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"api#/components')));
  return validate(value) ? [] : validate.errors;
};

test.each(operations)('%s has an example of its body and of each success, which are of their schemas', (route) => {
  const [path = '', method = ''] = route.split(' ').toReversed();
  const operation = closed.paths[path]?.[method.toLowerCase()];
  const bodies = Object.values(operation?.requestBody?.content ?? {});
  expect(bodies.length).toBe(['POST', 'PUT', 'PATCH'].includes(method) ? 1 : 0);
  for (const { schema, examples = {} } of bodies) {
    expect(Object.keys(examples).length).toBeGreaterThan(0);
    for (const { value } of Object.values(examples)) expect(problemsOf(schema, value)).toEqual([]);
  }
  const successes = Object.entries(operation?.responses ?? {}).filter(([status]) => status.startsWith('2'));
  for (const { schema, example } of successes.flatMap(([, { content = {} }]) => Object.values(content))) {
    expect(example).toBeDefined();
    expect(problemsOf(schema, example)).toEqual([]);
  }
});

test.each(operations)('%s has an example of each parameter, which is of its schema', (route) => {
  const [path = '', method = ''] = route.split(' ').toReversed();
  for (const { name, schema } of closed.paths[path]?.[method.toLowerCase()]?.parameters ?? []) {
    // A cursor is opaque: one has it from the page before.
    if (name === 'after') continue;
    expect([name, schema.example]).toEqual([name, expect.anything()]);
    expect(problemsOf(schema, schema.example)).toEqual([]);
  }
});

test('the examples of errors are of their schema', () => {
  for (const { value } of Object.values(document.components.examples)) {
    expect(problemsOf(closed.components.schemas.Error ?? NOTHING, value)).toEqual([]);
  }
});

test('a cursor has the same type where it is answered and where it is sent', () => {
  const sent = operations.flatMap(([, { parameters = [] }]) => parameters.filter(({ name }) => name === 'after'));
  const pages = Object.entries(document.components.schemas).filter(([name]) => name.endsWith('Page'));
  expect([sent.length, pages.length]).toEqual([6, 5]);
  const kindOf = ({ type, format, pattern }: Typed = {}) => ({
    type: [type].flat().filter((each) => each !== 'null'),
    format,
    pattern,
  });
  for (const { schema } of sent) expect(kindOf(schema)).toEqual({ type: ['string'] });
  for (const [, { properties }] of pages) expect(kindOf(properties?.next_cursor)).toEqual({ type: ['string'] });
});

test('there is a webhook for each type of event, with its payload and an example of it', () => {
  expect(Object.keys(document.webhooks).toSorted()).toEqual(PUBLIC_EVENT_TYPES.toSorted());
  for (const [type, { post }] of Object.entries(document.webhooks)) {
    const { schema, example } = post.requestBody?.content['application/json'] ?? {};
    const name = String(schema?.$ref).replace('#/components/schemas/', '');
    expect(document.components.schemas[name]?.properties?.type).toEqual({ type: 'string', enum: [type] });
    expect(problemsOf(closed.components.schemas[name] ?? NOTHING, example)).toEqual([]);
    // openapi-generator drops the operations of a tag that a webhook has too.
    expect(post.tags).toBeUndefined();
    expect(post.description).toMatch(/signature/);
  }
});

test('operation ids are unique, those of webhooks included', () => {
  const ids = [...operations.map(([, each]) => each), ...Object.values(document.webhooks).map(({ post }) => post)].map(
    ({ operationId }) => operationId,
  );
  expect(new Set(ids).size).toBe(ids.length);
});
