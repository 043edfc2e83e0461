import { expect, test } from '@jest/globals';
import { PUBLIC_EVENT_TYPES } from '#event-feed';
import { startService } from '../support/start-service.js';

// Client generators need these rules to hold for each schema, anywhere in the document.
interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly description?: string;
  readonly $ref?: string;
  readonly 'x-extensible-enum'?: readonly string[];
}

const service = await startService();
const document: unknown = await (await fetch(`${service.url}/openapi.json`)).json();

/** Members of an object that hold a schema, a list of schemas, or schemas by name. */
const ONE = ['schema', 'items', 'not', 'contains', 'if', 'then', 'else', 'propertyNames', 'additionalProperties'];
const SOME = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const BY_NAME = ['properties', 'patternProperties', 'schemas', '$defs'];
/** They hold values, which look like schemas at most by accident. */
const VALUES = ['example', 'examples', 'default', 'enum', 'const', 'value', 'x-extensible-enum'];

/** All schemas below a value, with the path to each. Values of booleans are among them. */
const schemasIn = (value: unknown, path: string, isSchema = false): (readonly [string, unknown])[] => {
  const own = isSchema ? [[path, value] as const] : [];
  if (typeof value !== 'object' || value === null) return own;
  const below = Object.entries(value).flatMap(([name, member]) => {
    const at = `${path}/${name}`;
    if (VALUES.includes(name)) return [];
    if (SOME.includes(name) || BY_NAME.includes(name)) {
      return Object.entries(Object(member)).flatMap(([key, each]) => schemasIn(each, `${at}/${key}`, true));
    }
    return schemasIn(member, at, ONE.includes(name));
  });
  return [...own, ...below];
};

const all = schemasIn(document, '#');
const schemas = all.filter((entry): entry is [string, Schema] => typeof entry[1] === 'object');
const typesOf = ({ type }: Schema) => [type ?? []].flat();
const wrong = (isWrong: (schema: Schema, path: string) => boolean) =>
  schemas.filter(([path, schema]) => isWrong(schema, path)).map(([path]) => path);

/** The body of an object, in a request, is closed by the one boolean that every generator reads. */
const CLOSED_BODY = /^#\/components\/schemas\/\w+Body\/additionalProperties$/;

test('the walk finds the schemas of bodies, answers, parameters, headers and webhooks', () => {
  const paths = all.map(([path]) => path);
  expect(paths).toEqual(
    expect.arrayContaining([
      '#/components/schemas/EnrollCreatorBody/properties/aliases/items',
      '#/components/schemas/Event/properties/data/properties/case',
      '#/components/headers/Retry-After/schema',
      '#/paths//v1/creators/get/parameters/0/schema',
      '#/paths//v1/creators/get/responses/200/content/application/json/schema',
      '#/webhooks/scan.completed/post/requestBody/content/application/json/schema',
    ]),
  );
});

test('no schema is a boolean', () => {
  const booleans = all.filter(([, schema]) => typeof schema === 'boolean').map(([path]) => path);
  expect(booleans.filter((path) => !CLOSED_BODY.test(path))).toEqual([]);
});

test('every schema has a type or a reference, and a list of values is of its type', () => {
  expect(wrong(({ type, $ref }) => type === undefined && $ref === undefined)).toEqual([]);
  expect(wrong((schema) => 'const' in schema)).toEqual([]);
  expect(wrong((schema) => schema.enum?.some((value) => !typesOf(schema).includes(typeof value)) ?? false)).toEqual([]);
});

test('a boolean with one value says so in its description but not in its schema', () => {
  expect(wrong((schema) => typesOf(schema).includes('boolean') && schema.enum !== undefined)).toEqual([]);
  const simulated = schemas.filter(([path]) => path.endsWith('/properties/simulated'));
  expect(simulated.length).toBeGreaterThan(10);
  for (const [, { description }] of simulated) expect(description).toMatch(/^Always `false`: /);
});

test('every item of every list says that it is not simulated (D54)', () => {
  const items = schemas.filter(([path]) => /^#\/components\/schemas\/\w+Page\/properties\/data\/items$/.test(path));
  expect(items.length).toBeGreaterThan(4);
  for (const [, { $ref }] of items) {
    expect(schemas.find(([path]) => path === $ref)?.[1]).toMatchObject({
      required: expect.arrayContaining(['simulated']),
    });
  }
});

test('times in milliseconds are int64, and numbers are double', () => {
  const times = schemas.filter(
    ([path, schema]) => /\/properties\/\w+_at$/.test(path) && typesOf(schema).includes('integer'),
  );
  expect(times.length).toBeGreaterThan(10);
  expect(times.filter(([, { format }]) => format !== 'int64')).toEqual([]);
  expect(wrong((schema) => typesOf(schema).includes('number') && schema.format !== 'double')).toEqual([]);
  expect(wrong((schema) => /milliseconds/.test(schema.description ?? '') && schema.format !== 'int64')).toEqual([]);
});

test('every pattern is in the syntax that RE2 and ECMAScript share', () => {
  const patterns = schemas.flatMap(([path, { pattern }]) => (pattern === undefined ? [] : [[path, pattern] as const]));
  expect(patterns.length).toBeGreaterThan(10);
  // Groups other than (?:…), \u, \c and \p, and what \s means beyond ASCII, differ; RE2 has no references and no lookaround.
  const foreign = /\(\?(?!:)|\\[1-9kucpPsSbBzZAQEC]|[*+?}]\+|\\x\{/;
  expect(patterns.filter(([, pattern]) => foreign.test(pattern))).toEqual([]);
  for (const [, pattern] of patterns) expect(() => new RegExp(pattern, 'u')).not.toThrow();
});

test('a nullable value has two types; nothing is made of alternatives, and a reference stands alone', () => {
  expect(wrong((schema) => 'nullable' in schema)).toEqual([]);
  expect(wrong((schema) => SOME.some((name) => name in schema))).toEqual([]);
  expect(wrong((schema) => schema.$ref !== undefined && Object.keys(schema).length > 1)).toEqual([]);
  expect(wrong((schema) => typesOf(schema).length > 1 && typesOf(schema)[1] !== 'null')).toEqual([]);
  expect(wrong((schema) => typesOf(schema).length > 2)).toEqual([]);
});

/** The sets that the specification closes (D103), by schema and member. */
const CLOSED: Readonly<Record<string, readonly string[]>> = {
  'Creator.protection_status': ['not_activated', 'active', 'paused'],
  'FullCreator.protection_status': ['not_activated', 'active', 'paused'],
  'Creator.scan_schedule_managed_by': ['api'],
  'FullCreator.scan_schedule_managed_by': ['api'],
  'Creator.svc_subscription_managed_by': ['svc'],
  'FullCreator.svc_subscription_managed_by': ['svc'],
  'Scan.status': ['queued', 'dispatching', 'running', 'uncertain', 'completed', 'failed', 'cancelled'],
  'Scan.source': ['manual', 'scheduled'],
  'Case.source': ['svc', 'api_scan'],
  'DeindexRequest.provider': ['search'],
  'Connection.partner.kind': ['agency'],
  'Connection.environment': ['live'],
  'Usage.currency': ['EUR', 'USD'],
  'Usage.scope': ['agency'],
  'Usage.billing_basis': ['active_api_scan_schedule'],
};

test('an answer closes the sets that the specification closes, and no others (D103)', () => {
  const closed = schemas.flatMap(([path, schema]) => {
    const [, name = ''] = /^#\/components\/schemas\/(.+)$/.exec(path) ?? [];
    if (schema.enum === undefined || /^\w+Body\//.test(name)) return [];
    return [[name.replaceAll('/properties/', '.'), schema.enum] as const];
  });
  const ofEvents = closed.filter(([name]) => /Event\.(?:type|data\.scope)$/.test(name));
  expect(Object.fromEntries(closed.filter((entry) => !ofEvents.includes(entry)))).toEqual(CLOSED);
  // The type of an event is what its schema is about. `scope` has one value in the specification.
  const scopes = ofEvents.filter(([name]) => name.endsWith('.scope'));
  expect(scopes.map(([, values]) => values)).toEqual(scopes.map(() => ['api_scan_schedule']));
  const types = ofEvents.filter(([name]) => name.endsWith('.type')).flatMap(([, values]) => values);
  expect(types.toSorted()).toEqual(PUBLIC_EVENT_TYPES.toSorted());
});

test('no closed set is outside the components, where headers and parameters are', () => {
  expect(wrong((schema, path) => schema.enum !== undefined && !path.startsWith('#/components/schemas/'))).toEqual([]);
});

test.each([
  ['Creator', 'enrollment_status', 'linked'],
  ['FullCreator', 'authorization/properties/status', 'missing'],
  ['FullCreator', 'entitlement/properties/source', 'agency_plan'],
  ['ScanFailedEvent', 'data/properties/status', 'failed'],
  ['Case', 'status_code', 'notice_sent'],
  ['DeindexRequest', 'status', 'submitted'],
  ['DeindexRequest', 'error_code', 'outcome_unknown'],
  ['Scan', 'error_code', 'engine_rejected'],
  ['Impersonation', 'status', 'reported'],
  ['Activity', 'type', 'notice.sent'],
  ['Activity', 'timestamp_basis', 'record_updated'],
  ['Event', 'type', 'scan.completed'],
  ['Connection', 'scopes/items', 'events:read'],
  ['Error', 'error/properties/code', 'not_found'],
])('the open set of %s %s names its known values in words and for generators (D103)', (name, member, value) => {
  const [, schema] = schemas.find(([path]) => path === `#/components/schemas/${name}/properties/${member}`) ?? [];
  expect(schema?.['x-extensible-enum']).toContain(value);
  for (const known of schema?.['x-extensible-enum'] ?? []) expect(schema?.description).toContain(`\`${known}\``);
  expect(schema?.description).toMatch(/More may follow\.$/);
});
