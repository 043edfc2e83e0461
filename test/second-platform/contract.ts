import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { parse } from 'yaml';

/** The contract's text as checks: what a request may carry, and what an answer must. Nothing here knows an operation by name. */
export type Service = 'platform' | 'engine' | 'search';

export interface Operation {
  id: string;
  service: Service;
  method: string;
  /** `{name}` marks a path parameter. */
  segments: string[];
  pathParameters: Map<string, ValidateFunction>;
  query: Map<string, { required: boolean; integer: boolean; check: ValidateFunction }>;
  /** The header that the operation carries, if any. */
  header: { name: string; integer: boolean; check: ValidateFunction } | undefined;
  body: { check: ValidateFunction; hasReference: boolean } | undefined;
  /** By status; `undefined` for an answer without content. */
  answers: Map<string, ValidateFunction | undefined>;
}

interface Node {
  [member: string]: Node;
}
interface ParameterText {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: object & { type: string };
}
interface OperationText {
  operationId: string;
  tags: Service[];
  parameters?: ParameterText[];
  requestBody?: { content: { 'application/json': { schema: SchemaText } } };
  responses: Record<string, { content?: { 'application/json': { schema: object } } }>;
}
interface SchemaText {
  type?: string;
  properties?: Record<string, SchemaText>;
  items?: SchemaText;
}

const METHODS = ['get', 'put', 'post', 'patch', 'delete'];
const FORMATS = {
  int64: () => true,
  uuid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
  uri: (text: string) => URL.canParse(text) && /^[!-~]+$/.test(text),
  'date-time': /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/,
};

export function readContract(): Operation[] {
  const file = new URL('../../contracts/native-platform.openapi.yaml', import.meta.url);
  const text = parse(readFileSync(file, 'utf8')) as Node;
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: FORMATS });
  const paths = resolved(text, text).paths ?? {};
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => {
      const shared = (item.parameters ?? []) as unknown as ParameterText[];
      return operation(ajv, path, method, item[method] as unknown as OperationText, shared);
    }),
  );
}

function operation(
  ajv: Ajv2020,
  path: string,
  method: string,
  text: OperationText,
  shared: ParameterText[],
): Operation {
  const parameters = [...shared, ...(text.parameters ?? [])];
  const located = (location: ParameterText['in']) => parameters.filter((parameter) => parameter.in === location);
  const header = located('header')[0];
  const body = text.requestBody?.content['application/json'].schema;
  return {
    id: text.operationId,
    service: text.tags[0] ?? 'platform',
    method: method.toUpperCase(),
    segments: path.split('/').slice(1),
    pathParameters: new Map(located('path').map(({ name, schema }) => [name, ajv.compile(schema)])),
    query: new Map(
      located('query').map(({ name, required, schema }) => [
        name,
        { required: required === true, integer: schema.type === 'integer', check: ajv.compile(schema) },
      ]),
    ),
    header: header && {
      name: header.name.toLowerCase(),
      integer: header.schema.type === 'integer',
      check: ajv.compile(header.schema),
    },
    body: body && { check: ajv.compile(closed(body)), hasReference: 'reference' in (body.properties ?? {}) },
    answers: new Map(
      Object.entries(text.responses).map(([status, answer]) => [
        status,
        answer.content && ajv.compile(answer.content['application/json'].schema),
      ]),
    ),
  };
}

/** Each `$ref` is replaced by what it points at; members next to it win, as OpenAPI 3.1 has it. */
function resolved(node: Node, root: Node): Node {
  if (Array.isArray(node)) return node.map((entry: Node) => resolved(entry, root)) as unknown as Node;
  if (typeof node !== 'object' || node === null) return node;
  const { $ref, ...own } = node;
  const target = $ref === undefined ? {} : resolved(pointedAt(String($ref), root), root);
  return {
    ...target,
    ...Object.fromEntries(Object.entries(own).map(([name, value]) => [name, resolved(value, root)])),
  };
}

function pointedAt(pointer: string, root: Node): Node {
  return pointer
    .slice(2)
    .split('/')
    .reduce<Node>((node, step) => node[step] ?? {}, root);
}

/** A request may carry only the members that the contract names. */
function closed(schema: SchemaText): object {
  if (schema.items) return { ...schema, items: closed(schema.items) };
  if (!schema.properties) return schema;
  const properties = Object.fromEntries(Object.entries(schema.properties).map(([name, text]) => [name, closed(text)]));
  return { ...schema, properties, additionalProperties: false };
}
