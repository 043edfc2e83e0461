import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { BODY_MUST, EXAMPLES, SECURITY } from '../http/transport/operation.js';
import { SCHEMAS } from './schemas.js';

const HEADERS = {
  'X-Request-ID': { description: 'Names the request in our logs.', schema: { type: 'string' } },
  'X-SVC-Mode': { description: 'Always `live`.', schema: { const: 'live' } },
  'Cache-Control': { description: 'Always `no-store`.', schema: { const: 'no-store' } },
  'X-Content-Type-Options': { description: 'Always `nosniff`.', schema: { const: 'nosniff' } },
};

const ALLOWANCE_HEADERS = {
  'RateLimit-Limit': { description: 'Requests of the agency in a UTC minute.', schema: { type: 'integer' } },
  'RateLimit-Remaining': { description: 'What is left of them.', schema: { type: 'integer' } },
  'RateLimit-Reset': { description: 'Seconds until the next minute.', schema: { type: 'integer' } },
};

const RETRY_HEADERS = {
  'Retry-After': { description: 'Seconds after which a repeat may succeed.', schema: { type: 'integer' } },
};

const CHALLENGE_HEADERS = {
  'WWW-Authenticate': { description: 'Always `Bearer`.', schema: { const: 'Bearer' } },
};

const LOCATION_HEADERS = {
  Location: { description: 'The path of what was made, or of its list.', schema: { type: 'string' } },
};

/** Headers that only some statuses have. */
const HEADERS_OF_STATUS: Readonly<Record<string, object>> = {
  201: LOCATION_HEADERS,
  202: LOCATION_HEADERS,
  401: CHALLENGE_HEADERS,
  429: RETRY_HEADERS,
  503: RETRY_HEADERS,
};

const VERSION = '0.8.0';

/** `/openapi.json`, and a page to read it at `/docs`. */
export const serveDocument = (app: NestFastifyApplication, dashboardUrl: string | undefined): void => {
  // Built at the first request, when all routes exist, and only once, because anybody may request it.
  let made: { readonly document: OpenAPIObject; readonly bytes: Buffer } | undefined;
  const make = () => {
    if (made !== undefined) return made;
    const document = openApiDocument(app, dashboardUrl);
    made = { document, bytes: Buffer.from(JSON.stringify(document)) };
    return made;
  };
  SwaggerModule.setup('docs', app, () => make().document, { raw: false });
  app.getHttpAdapter().get('/openapi.json', (_request: unknown, reply: FastifyReply) => {
    reply.type('application/json; charset=utf-8').send(make().bytes);
  });
};

/** The OpenAPI 3.1 document of the routes under `/v1`, built from the code that serves them. */
const openApiDocument = (app: NestFastifyApplication, dashboardUrl: string | undefined): OpenAPIObject => {
  const outline = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Creator Protection Agency API')
    .setDescription('Protects content creators against leaks and impersonation, from the backends of their agencies.')
    .setVersion(VERSION)
    .addServer('/')
    .addTag('0.2.0', 'The core endpoints.')
    .addTag('0.8.0', 'The endpoints of the agency workspace guide.')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'svc_live_…', description: 'A live key.' }, SECURITY)
    .build();
  const document = SwaggerModule.createDocument(app, outline, {
    operationIdFactory: (controller, method) => `${controller.replace('Controller', '').toLowerCase()}.${method}`,
  });
  const paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => path.startsWith('/v1/')));
  for (const operations of Object.values(paths)) {
    for (const operation of Object.values(operations) as Described[]) {
      for (const [status, response] of Object.entries(operation.responses ?? {})) addHeaders(status, response);
      addExamples(operation);
    }
  }
  const { components } = document;
  const schemas = { ...strictly(components?.schemas ?? {}), ...(SCHEMAS as object) };
  // The library has the types of OpenAPI 3.0's headers.
  const headers: Record<string, object> = Object.assign(
    {},
    HEADERS,
    ALLOWANCE_HEADERS,
    ...Object.values(HEADERS_OF_STATUS),
  );
  const externalDocs = dashboardUrl && { description: 'The agency dashboard: keys and webhooks.', url: dashboardUrl };
  return { ...document, paths, ...(externalDocs && { externalDocs }), components: { ...components, schemas, headers } };
};

interface Described {
  readonly responses?: Record<string, { headers?: object }>;
  readonly requestBody?: { readonly content: Record<string, { schema: object; examples?: object }> };
  [EXAMPLES]?: Readonly<Record<string, object>>;
  [BODY_MUST]?: object;
}

/** An unknown member is refused, and so is a change without any member (D7, D37). */
const strictly = (bodies: Record<string, object>): Record<string, object> =>
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
  const must = operation[BODY_MUST];
  delete operation[EXAMPLES];
  delete operation[BODY_MUST];
  if (must !== undefined && body !== undefined) body.schema = { allOf: [body.schema, must] };
  if (examples === undefined || body === undefined) return;
  body.examples = Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]));
};

const addHeaders = (status: string, response: { headers?: object }): void => {
  const known = { ...HEADERS, ...(status !== '401' && ALLOWANCE_HEADERS), ...HEADERS_OF_STATUS[status] };
  const references = Object.keys(known).map((name) => [name, { $ref: `#/components/headers/${name}` }]);
  response.headers = { ...Object.fromEntries(references), ...response.headers };
};
