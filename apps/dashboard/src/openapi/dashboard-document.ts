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
    .build();
  const document = SwaggerModule.createDocument(app, outline, { include: [DashboardModule] });
  const paths = Object.entries(document.paths).filter(([path]) => path.startsWith('/dashboard/api/'));
  return { ...document, paths: Object.fromEntries(paths) };
};
