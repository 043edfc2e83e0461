import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '#configuration';
import { publicAddress, publicPath } from '#http';
import { openApiDocument } from './document.js';
import { pageDocument } from './page/page-document.js';

/** Loads nothing from other hosts. Redoc creates its styles at run time, with the nonce, and searches in a worker. */
const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    'img-src data:',
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
const OPTIONS = {
  expandResponses: '200,201,202',
  hideSchemaTitles: true,
  requiredPropsFirst: true,
  sideNavStyle: 'path-only',
  theme: {
    typography: {
      fontFamily: FONT,
      headings: { fontFamily: FONT, fontWeight: '600' },
      code: { fontFamily: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace' },
    },
  },
};

/** The page for one request: a nonce is valid for one answer. `base` is the path in front of those of the API. */
const docsPage = (base: string) => {
  const nonce = randomBytes(16).toString('base64');
  return { html: html(nonce, base), policy: policy(nonce) };
};

const html = (nonce: string, base: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Creator Protection Agency API</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">body { margin: 0; }</style>
</head>
<body>
<main id="docs"></main>
<noscript>This page needs JavaScript. The same content is in <a href="${base}/openapi.json">openapi.json</a>.</noscript>
<script nonce="${nonce}" src="${base}/docs/redoc.js"></script>
<script nonce="${nonce}">
Redoc.init(${JSON.stringify(`${base}/docs/openapi.json`)}, ${JSON.stringify({ downloadDefinitionUrl: `${base}/openapi.json`, ...OPTIONS, nonce })}, document.getElementById('docs'));
</script>
</body>
</html>
`;

const JSON_TYPE = 'application/json; charset=utf-8';
const SCRIPT_TYPE = 'text/javascript; charset=utf-8';

/** The build copies Redoc here, because an image has no development packages. The sources use the package's file. */
const BUILT_REDOC = new URL('./page/redoc.standalone.js', import.meta.url);
const REPLACED = [
  // The icon in its footer is the only thing that it would load from another host.
  ['https://cdn.redoc.ly/redoc/logo-mini.svg', 'data:,'],
  // It adds its first styles when it is loaded, before its option can give them the nonce.
  ['r.nc=void 0', 'r.nc=document.currentScript.nonce'],
] as const;

interface Asset {
  readonly type: string;
  readonly bytes: Buffer;
  readonly gzipped: Buffer;
}

/** `/openapi.json`, and a page to read it at `/docs`. */
export const serveDocument = (
  app: NestFastifyApplication,
  { apiUrl, dashboardUrl }: Pick<Config, 'apiUrl' | 'dashboardUrl'>,
): void => {
  const url = () => publicAddress(apiUrl, app.getHttpServer());
  const document = () => openApiDocument(app, url(), dashboardUrl);
  const serve = (path: string, make: () => Promise<Asset>): void => {
    // Created at the first request, when all routes exist, and only once, because anybody may request it.
    let made: Promise<Asset> | undefined;
    app.getHttpAdapter().get(path, async (request: FastifyRequest, reply: FastifyReply) => {
      made ??= make();
      sendAsset(await made, request, reply);
    });
  };
  serve('/openapi.json', () => asset(JSON_TYPE, JSON.stringify(document())));
  serve('/docs/openapi.json', () => asset(JSON_TYPE, JSON.stringify(pageDocument(document(), url()))));
  serve('/docs/redoc.js', async () => asset(SCRIPT_TYPE, await redoc()));
  for (const path of ['/docs', '/docs/']) {
    app.getHttpAdapter().get(path, (_request: FastifyRequest, reply: FastifyReply) => {
      const { html, policy } = docsPage(publicPath(apiUrl));
      reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(html);
    });
  }
};

const redoc = async (): Promise<string> => {
  const built = existsSync(BUILT_REDOC) ? BUILT_REDOC : undefined;
  const file = built ?? createRequire(import.meta.url).resolve('redoc/bundles/redoc.standalone.js');
  const source = await readFile(file, 'utf8');
  return REPLACED.reduce((text, [foreign, own]) => text.replaceAll(foreign, own), source);
};

const asset = async (type: string, text: string): Promise<Asset> => {
  const bytes = Buffer.from(text);
  return { type, bytes, gzipped: await promisify(gzip)(bytes) };
};

const sendAsset = ({ type, bytes, gzipped }: Asset, { headers }: FastifyRequest, reply: FastifyReply): void => {
  const accepted = String(headers['accept-encoding'] ?? '').split(',');
  const isZipped = accepted.some((encoding) => encoding.trim() === 'gzip');
  reply.type(type).header('vary', 'accept-encoding');
  if (isZipped) reply.header('content-encoding', 'gzip');
  reply.send(isZipped ? gzipped : bytes);
};
