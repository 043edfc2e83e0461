import { applyDecorators } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExtension, ApiHeader, ApiOperation, ApiParam, ApiResponse } from '@nestjs/swagger';
import type { Scope } from '#agencies';
import { ERROR_CATALOGUE, idOf, type JsonSchema, RequireScopes, ref, text } from '#http';
import { type ErrorCode, ID_PREFIXES } from '#kernel';
import { EXAMPLE } from '../resources.examples.js';
import type { RequiredHeaders } from './access/admission.js';
import { MAX_IDEMPOTENCY_KEY_LENGTH } from './idempotency-key.js';

/** The resources, in the order in which a reader needs them. Each operation has one of them as its tag. */
export const TAGS = {
  Connection: 'The agency that a key belongs to, and what the key may do.',
  Workspaces: "The agency's workspace. All its creators and events belong to it.",
  Creators:
    'The people whom the agency protects: their enrollment, identity and protection. Enrollment never activates protection.',
  Scans: "Searches for a creator's content, one at a time for each creator. A scan runs after the request is answered.",
  Cases: 'Findings of scans and of the platform itself, their history, and a report.',
  Deindexing: "Requests to remove findings of API scans from the search provider's index.",
  Impersonations: 'Accounts that pretend to be a creator.',
  Usage: "The agency's metered time with its estimated price, and its slots.",
  Events:
    'The events, as a feed to read and as webhooks to receive. Both have the same events, with the same ids and bytes.',
} as const;

export type Tag = keyof typeof TAGS;

export const SECURITY = 'apiKey';

type Answer =
  | { readonly description: string; readonly schema: string; readonly example: object }
  | { readonly description: string; readonly csv: string };

/** A success in JSON, in the shape of a schema of the document. */
export const answer = (description: string, schema: string, example: object): Answer => ({
  description,
  schema,
  example,
});

/** Everything that the document says about a route. Its operation id is the name of the controller's method. */
export interface OperationOptions {
  readonly tag: Tag;
  /** One line; the description has the rest, and the scopes are added to it. */
  readonly summary: string;
  readonly description: string;
  readonly apiVersion: '0.2.0' | '0.8.0';
  readonly scopes: readonly Scope[];
  readonly answers: Readonly<Record<number, Answer>>;
  /** The codes of its refusals, in addition to those of every operation. */
  readonly errors?: readonly ErrorCode[];
  /** A refused request may leave a resource behind, whose path is the `Location` of the 400 (D28). */
  readonly refusalHasLocation?: boolean;
  readonly id?: PathId;
  readonly needsIdempotencyKey?: boolean;
  /** Accepted bodies, by what they show. An operation without any takes no body, and has no body errors. */
  readonly examples?: Readonly<Record<string, object>>;
}

/** Holds the examples until the document has their bodies. */
export const EXAMPLES = 'x-examples';

type PathId = keyof typeof EXAMPLE_OF_KIND;

/** Ids that occur in paths. */
const EXAMPLE_OF_KIND = {
  creator: EXAMPLE.creatorId,
  workspace: EXAMPLE.workspaceId,
  scan: EXAMPLE.scanId,
  case: EXAMPLE.caseId,
  deindexRequest: EXAMPLE.deindexRequestId,
};

/** D1: the codes that any request with a key may get. */
const ALWAYS: readonly ErrorCode[] = [
  'unauthorized',
  'rate_limited',
  'agency_verification_unavailable',
  'agency_account_required',
  'agency_kyc_required',
  'agency_owner_changed',
  'agency_key_reissue_required',
  'invalid_request',
  'request_timeout',
  'uri_too_long',
  'request_header_fields_too_large',
  'internal_error',
  'provider_invalid_response',
  'provider_unavailable',
  'provider_timeout',
];
const OF_BODIES: readonly ErrorCode[] = ['payload_too_large', 'unsupported_media_type'];
/** The specification documents them for each operation, even for those that currently have no code with this status. */
const DOCUMENTED_ANYWHERE = [404, 409];
const WITHOUT_CODE = 'No error code has this status here today. One may be added; its `code` gives the reason.';

/** The library has the types of OpenAPI 3.0; the document is 3.1, whose schemas are JSON Schema. */
const asSwagger = (schema: JsonSchema) => schema as object;

/** Declares a route: the scopes that the guard requires, and everything that the document says about it. */
export const Operation = (options: OperationOptions): MethodDecorator => {
  const { tag, summary, description, apiVersion, scopes, answers, id, examples } = options;
  const codes = [...ALWAYS, ...(scopes.length > 0 ? ['forbidden' as const] : []), ...(options.errors ?? [])];
  const errors = examples === undefined ? codes : [...codes, ...OF_BODIES];
  return applyDecorators(
    RequireScopes(...scopes),
    RouteConfig({
      required: { scopes, hasIdempotencyKey: options.needsIdempotencyKey === true } satisfies RequiredHeaders,
    }),
    ApiOperation({
      summary,
      description: `${description.replaceAll(/([^\n])\n(?=[^\n])/g, '$1 ')}\n\n${scopeText(scopes)}`,
      tags: [tag],
      security: [{ [SECURITY]: [...scopes] }],
    }),
    ApiExtension('x-api-version', apiVersion),
    ApiExtension('x-scopes', [...scopes]),
    ...(examples === undefined ? [] : [ApiExtension(EXAMPLES, examples)]),
    ...(id === undefined ? [] : [idParameter(id)]),
    ...(options.needsIdempotencyKey ? [idempotencyKeyHeader] : []),
    ...Object.entries(answers).map(([status, answer]) => success(Number(status), answer)),
    ...errorResponses(errors, options.refusalHasLocation),
  );
};

const scopeText = (scopes: readonly Scope[]): string =>
  scopes.length === 0 ? 'Scope: any valid key.' : `Scope: ${scopes.map((scope) => `\`${scope}\``).join(' and ')}.`;

const idParameter = (kind: PathId): MethodDecorator =>
  ApiParam({
    name: 'id',
    description: `An id of this API, \`${ID_PREFIXES[kind]}_…\`. Any other text is \`not_found\`.`,
    schema: asSwagger({ ...idOf(kind), example: EXAMPLE_OF_KIND[kind] }),
  });

const idempotencyKeyHeader: MethodDecorator = ApiHeader({
  name: 'Idempotency-Key',
  required: true,
  description:
    'Identifies the request, so that a repeat has no second effect. Create a new key for each new piece of work, and reuse it for repeats. ' +
    'It belongs to the agency and the kind of operation, and never expires.',
  schema: asSwagger({
    type: 'string',
    minLength: 1,
    maxLength: MAX_IDEMPOTENCY_KEY_LENGTH,
    pattern: '^[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?$',
    example: 'scan-2026-11-25-talent-1042',
  }),
});

const success = (status: number, answer: Answer): MethodDecorator =>
  'schema' in answer
    ? ApiResponse({
        status,
        description: answer.description,
        content: { 'application/json': { schema: asSwagger(ref(answer.schema)), example: answer.example } },
      })
    : ApiResponse({
        status,
        description: answer.description,
        headers: {
          'Content-Disposition': {
            description: '`attachment` with the file name `cases-<creator id>-<UTC date>.csv`.',
            schema: { type: 'string' },
          },
          'X-Next-Cursor': {
            description: 'The `after` of the next page; missing on the last page.',
            schema: { type: 'string' },
          },
        },
        content: { 'text/csv': { schema: asSwagger(text), example: answer.csv } },
      });

const errorResponses = (codes: readonly ErrorCode[], hasLocation = false): MethodDecorator[] => {
  const statuses = new Set([...DOCUMENTED_ANYWHERE, ...codes.map((code) => ERROR_CATALOGUE[code].status)]);
  return [...statuses].sort().map((status) => {
    const ofStatus = [...new Set(codes)].filter((code) => ERROR_CATALOGUE[code].status === status);
    const examples = ofStatus.map((code) => [code, { $ref: `#/components/examples/${code}` }]);
    return ApiResponse({
      status,
      ...(status === 400 && hasLocation && { headers: { Location: { $ref: '#/components/headers/Location' } } }),
      description: ofStatus.map((code) => `\`${code}\`: ${ERROR_CATALOGUE[code].message}`).join('\n\n') || WITHOUT_CODE,
      content: {
        'application/json': {
          schema: asSwagger(ref('Error')),
          ...(examples.length > 0 && { examples: Object.fromEntries(examples) }),
        },
      },
    });
  });
};
