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

interface WithContent {
  content?: { 'application/json': { schema: Schema } };
}

interface OperationText {
  operationId: string;
  tags: [Service];
  parameters?: Parameter[];
  requestBody?: WithContent;
  responses: Record<string, WithContent>;
}

type PathText = { parameters?: Parameter[] } & { [method in Lowercase<Method>]?: OperationText };

interface Contract {
  paths: Record<string, PathText>;
  components: { schemas: Record<string, { properties: Record<string, Schema> }> };
}

const text: unknown = parse(readFileSync(locate(), 'utf8'));
const contract = resolved(text) as Contract;

export const contractOperations: readonly ContractOperation[] = Object.entries(contract.paths).flatMap(
  ([path, { parameters: shared = [], ...methods }]) =>
    Object.entries(methods).map(([method, { operationId, tags, parameters = [], requestBody, responses }]) => ({
      id: operationId,
      service: tags[0],
      method: method.toUpperCase() as Method,
      path,
      parameters: [...shared, ...parameters],
      body: schemaOf(requestBody),
      responses: new Map(Object.entries(responses).map(([status, answer]) => [status, schemaOf(answer)])),
    })),
);

export function contractOperation(id: string): ContractOperation {
  const operation = contractOperations.find((candidate) => candidate.id === id);
  if (!operation) throw new Error(`the contract has no operation ${id}`);
  return operation;
}

export function contractMembers(name: string): Readonly<Record<string, Schema>> {
  const schema = contract.components.schemas[name];
  if (!schema) throw new Error(`the contract has no schema ${name}`);
  return schema.properties;
}

/** The sources and `dist` are at different depths, so the project root is searched for upwards. */
function locate(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, FILE))) {
    if (dirname(folder) === folder) throw new Error(`${FILE} was not found`);
    folder = dirname(folder);
  }
  return join(folder, FILE);
}

function schemaOf(part: WithContent | undefined): Schema | undefined {
  return part?.content?.['application/json'].schema;
}

/** A copy in which each `$ref` is replaced by its target. */
function resolved(part: unknown): unknown {
  return JSON.parse(JSON.stringify(part), (_name, node) =>
    typeof node?.$ref === 'string' ? resolved(target(node.$ref)) : node,
  );
}

function target(reference: string): unknown {
  const steps = reference.slice(2).split('/');
  const found = steps.reduce<unknown>((node, name) => (node as Record<string, unknown> | undefined)?.[name], text);
  if (!found) throw new Error(`the contract refers to ${reference}, which it does not have`);
  return found;
}
