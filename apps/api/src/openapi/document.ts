import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { ERROR_CATALOGUE } from '#http';
import { ERROR_CODES, type ErrorCode } from '#kernel';
import { BUILD } from '../../../service/src/process.js';
import { ApiModule } from '../api.module.js';
import { EXAMPLES, SECURITY, TAGS } from '../http/transport/operation.js';
import { SCHEMAS } from './schemas/index.js';
import { webhooks } from './webhooks.js';

const header = (description: string, schema: object = { type: 'string' }) => ({ description, schema });

const OF_EVERY_ANSWER = {
  'X-Request-ID': header('Identifies the request in our logs.'),
  'X-SVC-Mode': header('Always `live`.'),
  'Cache-Control': header('Always `no-store`.'),
  'X-Content-Type-Options': header('Always `nosniff`.'),
};

const ALLOWANCE = {
  'RateLimit-Limit': header('Requests of the agency in a UTC minute.', { type: 'integer' }),
  'RateLimit-Remaining': header('The requests that are left.', { type: 'integer' }),
  'RateLimit-Reset': header('Seconds until the next minute.', { type: 'integer' }),
};

const RETRY = { 'Retry-After': header('Seconds after which a repeat may succeed.', { type: 'integer' }) };
const CHALLENGE = { 'WWW-Authenticate': header('Always `Bearer`.') };
const LOCATION = { Location: header('The path of the new resource, or of its list.') };

/** Headers that only some statuses have. */
const OF_STATUS: Readonly<Record<string, object>> = {
  201: LOCATION,
  202: LOCATION,
  401: CHALLENGE,
  429: RETRY,
  503: RETRY,
};

const HEADERS: Readonly<Record<string, object>> = Object.assign(
  {},
  OF_EVERY_ANSWER,
  ALLOWANCE,
  ...Object.values(OF_STATUS),
);

/** References to the headers of an answer with the status. */
const headersOf = (status: string): Readonly<Record<string, { readonly $ref: string }>> => {
  const names = Object.keys({ ...OF_EVERY_ANSWER, ...(status !== '401' && ALLOWANCE), ...OF_STATUS[status] });
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
};

const DESCRIPTION =
  'Lets the backends of talent agencies protect content creators against leaks and impersonation.\n\n' +
  'In `/v1`, fields, values of open sets, event types and routes may be added without notice: ignore what you do not know.';

const BASE_URL = 'The address of the API, without a trailing slash.';

export const openApiDocument = (
  app: NestFastifyApplication,
  url: string,
  dashboardUrl: string | undefined,
): OpenAPIObject => {
  const { components, paths: routes } = SwaggerModule.createDocument(app, outline(), {
    include: [ApiModule],
    operationIdFactory: (_controller, method) => method,
  });
  const paths = Object.fromEntries(Object.entries(routes).filter(([path]) => path.startsWith('/v1/')));
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path) as Described[])) {
    for (const [status, response] of Object.entries(operation.responses)) {
      response.headers = { ...headersOf(status), ...response.headers };
    }
    addExamples(operation);
  }
  const site = dashboardUrl && { url: dashboardUrl };
  const description = 'The agency dashboard: keys and webhooks.';
  // The library has the types of OpenAPI 3.0.
  const parts: object = {
    info: {
      title: 'Creator Protection Agency API',
      description: DESCRIPTION,
      version: BUILD.version,
      contact: { name: 'Creator Protection support', ...site },
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: '{base_url}', variables: { base_url: { default: url, description: BASE_URL } } }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    ...(site && { externalDocs: { description, ...site } }),
    webhooks: webhooks(),
    components: {
      ...components,
      schemas: { ...closed(components?.schemas ?? {}), ...SCHEMAS },
      headers: HEADERS,
      examples: Object.fromEntries(DOCUMENTED_CODES.map((code) => [code, { value: exampleError(code) }])),
    },
  };
  return { openapi: '3.1.0', info: outline().info, paths, ...parts };
};

/** No operation answers 405: that status is for methods that a path does not have. */
const DOCUMENTED_CODES = ERROR_CODES.filter((code) => code !== 'method_not_allowed');

const outline = () =>
  new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'svc_live_…', description: 'A live key.' }, SECURITY)
    .build();

interface Described {
  readonly responses: Record<string, { headers?: object }>;
  readonly requestBody?: { readonly content: Record<string, { examples?: object }> };
  [EXAMPLES]?: Readonly<Record<string, object>>;
}

/** An unknown member of a body is refused, and so is a change without any member (D7, D37). Answers are open (D103). */
const closed = (bodies: Record<string, object>): Record<string, object> =>
  Object.fromEntries(
    Object.entries(bodies).map(([name, schema]: [string, { required?: readonly string[]; properties?: object }]) => {
      const { required = [], properties = {} } = schema;
      const isChange = required.length === 0 && Object.keys(properties).length > 0;
      return [name, { ...schema, additionalProperties: false, ...(isChange && { minProperties: 1 }) }];
    }),
  );

const addExamples = (operation: Described): void => {
  const examples = operation[EXAMPLES];
  const body = operation.requestBody?.content['application/json'];
  delete operation[EXAMPLES];
  if (examples === undefined || body === undefined) return;
  body.examples = Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]));
};

const exampleError = (code: ErrorCode) => ({
  error: {
    code,
    message: ERROR_CATALOGUE[code].message,
    ...(code === 'invalid_request' && {
      details: [{ field: 'limit', message: 'must be a whole number from 1 to 100' }],
    }),
  },
  request_id: '0b8f6a52-7c1e-4d39-9a64-2f5e8d1c7b30',
});
