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

  /** What of the exchange the document does not say; nothing for addresses and methods that it does not have. */
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
    return validate(body) ? [] : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
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
