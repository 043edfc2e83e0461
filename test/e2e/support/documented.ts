import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Scope } from '#agencies';
import { closedDocument } from '../../fuzz/closed-document.js';
import type { Exchange } from './exchange.js';

interface Answer {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

export interface OpenApiOperation {
  readonly 'x-scopes'?: readonly Scope[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly schema: { readonly pattern?: string };
  }[];
  readonly requestBody?: {
    readonly content: Readonly<
      Record<string, { readonly examples?: Readonly<Record<string, { readonly value: object }>> }>
    >;
  };
  readonly responses: Readonly<Record<string, Answer>>;
}

export interface OpenApiDocument {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: { readonly schemas: Record<string, object> };
}

const id = (prefix: string) => new RegExp(`^"(?:${prefix})_[0-7][0-9a-hjkmnp-tv-z]{25}"$`);
const ISO_TIME = /^"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"$/;
const EPOCH_MILLISECONDS = /^\d{13}$/;

/** The JSON of members by their names (D11, D12), regardless of the document. */
const FORMS: Readonly<Record<string, RegExp>> = {
  id: id('crt|scn|cas|dix|evt|wsp|imp'),
  workspace_id: id('wsp'),
  key_id: id('key'),
  creator_id: id('crt'),
  scan_id: id('scn'),
  case_id: id('cas'),
  deindex_request_id: id('dix'),
  impersonation_id: id('imp'),
  checked_at: ISO_TIME,
  period_start: ISO_TIME,
  period_end: ISO_TIME,
  measured_through: ISO_TIME,
};

const formOf = (path: string): RegExp | undefined => {
  // These two ids are the platform's.
  if (/partner\/id$|activity\/data\/\d+\/id$/.test(path)) return undefined;
  if (path.endsWith('/authorization/expires_at')) return ISO_TIME;
  const name = path.slice(path.lastIndexOf('/') + 1);
  return FORMS[name] ?? (name.endsWith('_at') ? EPOCH_MILLISECONDS : undefined);
};

const formFaults = (value: unknown, path: string): string[] => {
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([name, inner]) => formFaults(inner, `${path}/${name}`));
  }
  const json = JSON.stringify(value);
  return value === null || (formOf(path)?.test(json) ?? true) ? [] : [`${path} has the form ${json}`];
};

/** Whether answers are what the closed rendering of the service's own OpenAPI document says of them. */
export class Documented {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  private readonly validators = new Map<object, ValidateFunction>();
  private readonly routes: readonly { readonly pattern: RegExp; readonly path: string }[];

  private readonly document: OpenApiDocument;

  constructor(document: OpenApiDocument) {
    this.document = closedDocument(document);
    this.ajv.addSchema({ $id: 'api', components: this.document.components });
    this.routes = Object.keys(this.document.paths).map((path) => ({
      path,
      pattern: new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
    }));
  }

  /** Lists where the exchange deviates from the document; nothing for addresses and methods that it does not have. */
  mismatches({ method, path, status, headers, body }: Exchange): string[] {
    const [address = ''] = path.split('?');
    const route = this.routes.find(({ pattern }) => pattern.test(address));
    const operation = route && this.document.paths[route.path]?.[method.toLowerCase()];
    if (operation?.['x-scopes'] === undefined) return [];
    const answer = operation.responses[status];
    if (answer === undefined) return [`${status} is not documented`];
    const [type = ''] = String(headers['content-type']).split(';');
    const schema = answer.content?.[type]?.schema;
    if (schema === undefined) return [`${type} is not documented for ${status}`];
    if (type !== 'application/json') return [];
    const validate = this.validator(schema);
    const faults = validate(body)
      ? []
      : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
    return [...faults, ...formFaults(body, route?.path ?? '')];
  }

  private validator(schema: object): ValidateFunction {
    const known = this.validators.get(schema);
    if (known !== undefined) return known;
    const text = JSON.stringify(schema).replaceAll('"#/components', '"api#/components');
    const validator = this.ajv.compile(JSON.parse(text));
    this.validators.set(schema, validator);
    return validator;
  }
}
