/**
 * The OpenAPI document is open, because answers may get more fields and values without notice (D103). This rendering of
 * it is closed: what the service answers today, and nothing else. Tests and fuzzing hold the service to it.
 */
export const closedDocument = <Document extends object>(document: Document): Document => {
  const copy = structuredClone(document);
  const closed = copy as unknown as OpenDocument;
  for (const [name, schema] of Object.entries(closed.components.schemas)) closeSchema(schema, name);
  Object.assign(closed.components.schemas.EnrollCreatorBody ?? {}, LINK_OR_INVITATION);
  for (const operation of Object.values(closed.paths).flatMap((path) => Object.values(path))) closeOperation(operation);
  return copy;
};

interface Schema {
  type?: string | string[];
  description?: string;
  pattern?: string;
  const?: unknown;
  enum?: unknown[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean;
  'x-extensible-enum'?: string[];
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly schema?: Schema }[];
  readonly responses: Record<string, { readonly content?: Readonly<Record<string, Content>> }>;
}

interface Content {
  schema: object;
  readonly examples?: object;
}

interface OpenDocument {
  readonly components: { readonly schemas: Record<string, Schema> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** An engine, the provider and the platform have values of their own there. */
const WITH_FOREIGN_VALUES = new Set(['error_code', 'reason']);
/** After the prefix of its kind, an id has 26 characters of base32 (D12). */
const ID_PATTERN = /^\^([a-z]+)_$/;
const REST_OF_ID = '[0-7][0-9a-hjkmnp-tv-z]{25}$';
/** In words only in the open document. */
const ALWAYS = /^Always `(true|false)`/;

const closeSchema = (schema: Schema, name: string): void => {
  const known = schema['x-extensible-enum'];
  const [, always] = ALWAYS.exec(schema.description ?? '') ?? [];
  if (known !== undefined && !WITH_FOREIGN_VALUES.has(name)) schema.enum = known;
  if (always !== undefined) schema.const = always === 'true';
  if (schema.pattern !== undefined && ID_PATTERN.test(schema.pattern)) schema.pattern += REST_OF_ID;
  if (schema.items !== undefined) closeSchema(schema.items, name);
  if (schema.properties === undefined) return;
  schema.additionalProperties = false;
  for (const [member, of] of Object.entries(schema.properties)) closeSchema(of, member);
};

/** D23: a link or an invitation, never both and never neither. */
const LINK_OR_INVITATION = {
  oneOf: [
    { required: ['svc_user_id'], properties: { email: false, first_name: false, last_name: false, locale: false } },
    { required: ['email', 'first_name', 'last_name'], properties: { svc_user_id: false } },
  ],
};

/** A member that only some answers of a schema have, and which (D5, D26, D39). */
const MEMBER_OF_SOME: Readonly<Record<string, { readonly member: string; readonly answers: readonly string[] }>> = {
  Creator: { member: 'email_sent', answers: ['enrollCreator 201', 'resendInvitation 200'] },
};

const closeOperation = ({ operationId, parameters = [], responses }: Operation): void => {
  for (const { schema } of parameters) if (schema !== undefined) closeSchema(schema, '');
  for (const [status, { content = {} }] of Object.entries(responses)) {
    const answer = content['application/json'];
    if (answer === undefined) continue;
    const $ref = '$ref' in answer.schema ? String(answer.schema.$ref) : '';
    const name = $ref.replace('#/components/schemas/', '');
    const ofSome = MEMBER_OF_SOME[name];
    // An error status without a code is documented for later; no request has it today.
    if (name === 'Error' && answer.examples === undefined) delete responses[status];
    if (name === 'Error') answer.schema = { allOf: [answer.schema, withCode(Object.keys(answer.examples ?? {}))] };
    if (ofSome === undefined) continue;
    const required = { required: [ofSome.member] };
    const isThere = ofSome.answers.includes(`${operationId} ${status}`);
    answer.schema = { allOf: [answer.schema, isThere ? required : { not: required }] };
  }
};

/** The examples of an error are named like their codes, which are all that a status can have. */
const withCode = (codes: readonly string[]) => ({ properties: { error: { properties: { code: { enum: codes } } } } });
