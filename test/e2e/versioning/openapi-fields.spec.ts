import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { startService } from '../support/start-service.js';

// Every answer of the suite is held to the document (see support/holds-everywhere.ts), and the document to the fields that
// are listed here. A field that is added, renamed or removed on purpose changes answer-fields.txt.
const LISTED = readFileSync(new URL('answer-fields.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');

type Fields = Readonly<Record<string, string>>;

const BODIES: Readonly<Record<string, Fields>> = {
  EnrollCreatorBody: {
    workspace_id: 'string to 200',
    external_id: 'string to 200',
    display_name: 'string to 160',
    'aliases?': 'array to 30 of string to 160',
    'profile_urls?': 'array to 20 of string to 2048',
    'svc_user_id?': 'string',
    'email?': 'string to 254',
    'first_name?': 'string to 100',
    'last_name?': 'string to 100',
    'locale?': 'string',
  },
  UpdateCreatorBody: {
    'display_name?': 'string to 160',
    'aliases?': 'array to 30 of string to 160',
    'profile_urls?': 'array to 20 of string to 2048',
  },
  SetProtectionBody: { status: 'string' },
  RequestDeindexBody: { provider: 'string' },
  ReportImpersonationBody: { url: 'string to 2048' },
  EmptyBody: {},
};

interface Schema {
  readonly type?: string | readonly string[];
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly $ref?: string;
}

interface Parameter {
  readonly name: string;
  readonly schema: {
    readonly type: string;
    readonly minimum?: number;
    readonly maximum?: number;
    readonly default?: number;
  };
}

const service = await startService();
const { components, paths } = (await (await fetch(`${service.url}/openapi.json`)).json()) as {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly parameters?: readonly Parameter[] }>>>>;
};

const typeOf = ({ $ref, type = 'any', items, maxLength, maxItems }: Schema): string => {
  if ($ref !== undefined) return $ref.replace('#/components/schemas/', '');
  const types = [type].flat();
  const limit = maxLength ?? maxItems;
  const bounds = limit === undefined ? '' : ` to ${limit}`;
  return `${types.join(' or ')}${bounds}${items === undefined ? '' : ` of ${typeOf(items)}`}`;
};

const fieldsOf = ({ properties = {}, required = [] }: Schema): Fields =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [required.includes(name) ? name : `${name}?`, typeOf(schema)]),
  );

/** One line for the schema, and one for each object in it. */
const linesOf = (name: string, schema: Schema): string[] => {
  const { properties = {} } = schema;
  const patterns = Object.values(properties).map(({ pattern }) => (pattern === undefined ? '' : ` ${pattern}`));
  const fields = Object.entries(fieldsOf(schema)).map(([field, type], n) => `${field} ${type}${patterns[n]}`);
  const inner = Object.entries(properties).flatMap(([member, { items, ...own }]) => {
    const object = items ?? own;
    return object.properties === undefined ? [] : linesOf(`${name}.${member}`, object);
  });
  return [`${name}: ${fields.join(', ')}`, ...inner];
};

const answers = Object.entries(components.schemas).filter(([name]) => BODIES[name] === undefined);

test('the fields of answers and events, their types and patterns are those of the list (D103)', () => {
  expect(answers.flatMap(([name, schema]) => linesOf(name, schema))).toEqual(LISTED);
});

test('every answer is open to more fields (D103)', () => {
  expect(answers.filter(([, schema]) => 'additionalProperties' in schema)).toEqual([]);
});

test.each(Object.entries(BODIES))(
  '%s has the fields of its table, with their limits, and takes no others (D7)',
  (name, fields) => {
    const { [name]: schema = {} } = components.schemas;
    expect(fieldsOf(schema)).toEqual(fields);
    expect(schema.additionalProperties).toBe(false);
  },
);

test('a page holds 1 to 100, 25 unless asked otherwise; a page of the report 100 (limits, D52)', () => {
  const limits = Object.entries(paths).flatMap(([path, operations]) =>
    Object.values(operations).flatMap(({ parameters = [] }) =>
      parameters.filter(({ name }) => name === 'limit').map(({ schema }) => [path, schema] as const),
    ),
  );
  const bounded = (size: number) => ({ type: 'integer', minimum: 1, maximum: 100, default: size, example: size });
  expect(Object.fromEntries(limits)).toEqual({
    '/v1/creators': bounded(25),
    '/v1/creators/{id}/cases': bounded(25),
    '/v1/creators/{id}/impersonations': bounded(25),
    '/v1/creators/{id}/activity': bounded(25),
    '/v1/events': bounded(25),
    '/v1/creators/{id}/report': bounded(100),
  });
});
