import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { DashboardModule } from '../dashboard.module.js';

const PATH = '/dashboard/api/openapi.json';

/** The document of what the page asks for, from which the page's types are made. It is no part of the API for agencies. */
export const serveDashboardDocument = (app: NestFastifyApplication): void => {
  // Made at the first request, when all routes exist.
  let made: OpenAPIObject | undefined;
  app.getHttpAdapter().get(PATH, async () => {
    made ??= describeDashboard(app);
    return made;
  });
};

const describeDashboard = (app: NestFastifyApplication): OpenAPIObject => {
  const outline = new DocumentBuilder()
    .setTitle('The dashboard of the Creator Protection Agency API')
    .setDescription('For the page at `/dashboard` alone: it may change with each release.')
    .setOpenAPIVersion('3.1.0')
    .build();
  const document = SwaggerModule.createDocument(app, outline, { include: [DashboardModule] });
  const paths = Object.entries(document.paths).filter(([path]) => path.startsWith('/dashboard/api/'));
  return withNulls({ ...document, paths: Object.fromEntries(paths) });
};

/** Nest's decorators say `nullable`, which OpenAPI 3.1 does not know: there, null is a type. */
const withNulls = <Value>(value: Value): Value => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withNulls) as Value;
  const members = Object.entries(value).map(([name, member]) => [name, withNulls(member)]);
  const { nullable, description, ...schema } = Object.fromEntries(members);
  if (nullable !== true) return Object.fromEntries(members);
  return { ...(description && { description }), anyOf: [schema, { type: 'null' }] } as Value;
};
