import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import {
  type ContractOperation,
  contractOperations,
  type Parameter,
} from '../../apps/platform-sandbox/src/contract/document.js';

/** The contract's text as checks: what a request may carry, and what an answer must. Nothing here knows an operation by name. */
export interface Operation extends Pick<ContractOperation, 'id' | 'service' | 'method'> {
  /** `{name}` marks a path parameter. */
  segments: string[];
  parameters: (Parameter & { check: ValidateFunction })[];
  body: { check: ValidateFunction; hasReference: boolean } | undefined;
  /** By status; `undefined` for an answer without content. */
  answers: Map<string, ValidateFunction | undefined>;
}

interface SchemaText {
  type?: string;
  properties?: Record<string, SchemaText>;
  items?: SchemaText;
}

const FORMATS = {
  int64: () => true,
  uuid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
  uri: (text: string) => URL.canParse(text) && /^[!-~]+$/.test(text),
  'date-time': /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/,
};
const ajv = new Ajv2020({ strict: false, allErrors: true, formats: FORMATS });

export const contract: readonly Operation[] = contractOperations.map(operation);

function operation({ id, service, method, path, parameters, body, responses }: ContractOperation): Operation {
  const hasReference = 'reference' in ((body as SchemaText | undefined)?.properties ?? {});
  return {
    id,
    service,
    method,
    segments: path.split('/').slice(1),
    parameters: parameters.map((parameter) => ({ ...parameter, check: ajv.compile(parameter.schema) })),
    body: body && { check: ajv.compile(closed(body)), hasReference },
    answers: new Map([...responses].map(([status, schema]) => [status, schema && ajv.compile(schema)])),
  };
}

/** A request may carry only the members that the contract names. */
function closed(schema: SchemaText): object {
  if (schema.items) return { ...schema, items: closed(schema.items) };
  if (!schema.properties) return schema;
  const properties = Object.fromEntries(Object.entries(schema.properties).map(([name, text]) => [name, closed(text)]));
  return { ...schema, properties, additionalProperties: false };
}
