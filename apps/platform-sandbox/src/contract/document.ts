import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const FILE = 'contracts/native-platform.openapi.yaml';

export type Service = 'platform' | 'engine' | 'search';
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Schema = Readonly<Record<string, unknown>>;

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: Schema;
}

export interface ContractOperation {
  id: string;
  /** Which of the three services has it: the contract's tag. */
  service: Service;
  method: Method;
  /** As the contract writes it: `/agencies/{agency_id}`. */
  path: string;
  parameters: Parameter[];
  body: Schema | undefined;
  /** By status or `default`; undefined where the answer has no body. */
  responses: Map<string, Schema | undefined>;
}

interface Json {
  [member: string]: Json;
}

/** The contract's operations with every `$ref` resolved, read once a process. */
export const contractOperations: readonly ContractOperation[] = readOperations(parse(readFileSync(locate(), 'utf8')));

export function contractOperation(id: string): ContractOperation {
  const operation = contractOperations.find((candidate) => candidate.id === id);
  if (!operation) throw new Error(`the contract has no operation ${id}`);
  return operation;
}

/** The sources and `dist` lie at different depths, so the project root is looked for upwards. */
function locate(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, FILE))) {
    if (dirname(folder) === folder) throw new Error(`${FILE} was not found`);
    folder = dirname(folder);
  }
  return join(folder, FILE);
}

function readOperations(document: Json): ContractOperation[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => method !== 'parameters')
      .map(([method, raw]) => {
        const operation = dereference(raw, document) as unknown as RawOperation;
        const shared = item.parameters ? (dereference(item.parameters, document) as unknown as Parameter[]) : [];
        return {
          id: operation.operationId,
          service: operation.tags[0],
          method: method.toUpperCase() as Method,
          path,
          parameters: [...shared, ...(operation.parameters ?? [])],
          body: schemaOf(operation.requestBody),
          responses: new Map(Object.entries(operation.responses).map(([status, answer]) => [status, schemaOf(answer)])),
        };
      }),
  );
}

interface WithContent {
  content?: { 'application/json': { schema: Schema } };
}

interface RawOperation {
  operationId: string;
  tags: [Service];
  parameters?: Parameter[];
  requestBody?: WithContent;
  responses: Record<string, WithContent>;
}

function schemaOf(part: WithContent | undefined): Schema | undefined {
  return part?.content?.['application/json'].schema;
}

function dereference(node: Json, document: Json): Json {
  if (Array.isArray(node)) return node.map((item) => dereference(item, document)) as unknown as Json;
  if (typeof node !== 'object' || node === null) return node;
  if (typeof node.$ref === 'string') return dereference(target(node.$ref as string, document), document);
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, dereference(value, document)]));
}

function target(reference: string, document: Json): Json {
  const found = reference
    .slice(2)
    .split('/')
    .reduce<Json | undefined>((node, name) => node?.[name], document);
  if (!found) throw new Error(`the contract refers to ${reference}, which it does not have`);
  return found;
}
