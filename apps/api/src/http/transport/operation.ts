import { applyDecorators } from '@nestjs/common';
import { ApiBearerAuth, ApiExtension, ApiHeader, ApiOperation, ApiParam, ApiResponse } from '@nestjs/swagger';
import type { Scope } from '#agencies';
import type { ErrorCode } from '#kernel';
import { MAX_IDEMPOTENCY_KEY_LENGTH } from '../validation/idempotency-key.js';
import { idOf, type JsonSchema, ref } from '../validation/json-schema.js';
import { RequireScopes } from './access/access.js';
import { ERROR_CATALOGUE } from './error-catalogue.js';

/** The two references that describe the API. */
export type Reference = '0.2.0' | '0.8.0';

export const SECURITY = 'apiKey';

export interface OperationOptions {
  readonly summary: string;
  readonly reference: Reference;
  readonly scopes: readonly Scope[];
  /** Success statuses and the schemas of their bodies. */
  readonly answers: Readonly<Record<number, string | { readonly csv: true }>>;
  /** The codes of its refusals, in addition to those of every operation. */
  readonly errors?: readonly ErrorCode[];
  /** A refused request may leave something, whose path is the `Location` of the 400 (D28). */
  readonly refusalHasLocation?: boolean;
  /** The path parameter `id`, by the prefix of its kind. */
  readonly id?: string;
  readonly needsIdempotencyKey?: boolean;
  readonly hasBody?: boolean;
  /** Accepted bodies, by what they show. */
  readonly examples?: Readonly<Record<string, object>>;
  /** Requirements of the whole body, in addition to those of its members. */
  readonly bodyMust?: JsonSchema;
}

/** Where the examples are until the document has their bodies. */
export const EXAMPLES = 'x-examples';
export const BODY_MUST = 'x-body-must';

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

/** Declares a route: the scopes that the guard requires, and everything that the document says about it. */
export const Operation = (options: OperationOptions): MethodDecorator => {
  const { summary, reference, scopes, answers, id, needsIdempotencyKey = false, hasBody = false } = options;
  const codes = [...ALWAYS, ...(scopes.length > 0 ? ['forbidden' as const] : []), ...(options.errors ?? [])];
  const errors = hasBody ? [...codes, ...OF_BODIES] : codes;
  return applyDecorators(
    RequireScopes(...scopes),
    ApiOperation({ summary, tags: [reference], security: [{ [SECURITY]: [...scopes] }] }),
    ApiExtension('x-scopes', [...scopes]),
    ...(options.examples === undefined ? [] : [ApiExtension(EXAMPLES, options.examples)]),
    ...(options.bodyMust === undefined ? [] : [ApiExtension(BODY_MUST, options.bodyMust)]),
    ApiBearerAuth(SECURITY),
    ...(id === undefined ? [] : [ApiParam({ name: 'id', schema: asSwagger(idOf(id)) })]),
    ...(needsIdempotencyKey
      ? [
          ApiHeader({
            name: 'Idempotency-Key',
            required: true,
            schema: asSwagger({
              type: 'string',
              minLength: 1,
              maxLength: MAX_IDEMPOTENCY_KEY_LENGTH,
              pattern: '^[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?$',
            }),
          }),
        ]
      : []),
    ...Object.entries(answers).map(([status, schema]) => success(Number(status), schema)),
    ...errorResponses(errors, options.refusalHasLocation),
  );
};

const success = (status: number, answer: string | { readonly csv: true }): MethodDecorator =>
  typeof answer === 'string'
    ? ApiResponse({
        status,
        description: answer,
        content: { 'application/json': { schema: asSwagger(ref(answer)) } },
      })
    : ApiResponse({
        status,
        description: 'A page of CSV',
        headers: {
          'Content-Disposition': {
            description: '`attachment` with the file name `cases-<creator id>-<UTC date>.csv`.',
            schema: { type: 'string' },
          },
          'X-Next-Cursor': { description: 'The `after` of the next page; none on the last.', schema: CURSOR },
        },
        content: { 'text/csv': { schema: asSwagger({ type: 'string' }) } },
      });

const CURSOR: { readonly type: 'string' } = { type: 'string' };

const errorResponses = (codes: readonly ErrorCode[], hasLocation = false): MethodDecorator[] => {
  const statuses = [...new Set(codes.map((code) => ERROR_CATALOGUE[code].status))].sort();
  return statuses.map((status) => {
    const ofStatus = [...new Set(codes)].filter((code) => ERROR_CATALOGUE[code].status === status);
    const code = { properties: { code: { enum: ofStatus } } };
    return ApiResponse({
      status,
      ...(status === 400 && hasLocation && { headers: { Location: { $ref: '#/components/headers/Location' } } }),
      description: ofStatus.map((each) => `\`${each}\`: ${ERROR_CATALOGUE[each].message}`).join('\n\n'),
      content: {
        'application/json': { schema: asSwagger({ allOf: [ref('Error'), { properties: { error: code } }] }) },
      },
    });
  });
};

/** The library has the types of OpenAPI 3.0; the document is 3.1, whose schemas are JSON Schema. */
export const asSwagger = (schema: JsonSchema) => schema as object;
