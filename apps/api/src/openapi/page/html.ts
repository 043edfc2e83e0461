import { randomBytes } from 'node:crypto';

/** Nothing comes from elsewhere. Redoc makes its styles at run time, with the nonce, and searches in a worker. */
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

/** The page for one request: a nonce is good for one answer. `base` is the path before those of the API. */
export const docsPage = (base: string) => {
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
<noscript>This page needs JavaScript. The same is in <a href="${base}/openapi.json">openapi.json</a>.</noscript>
<script nonce="${nonce}" src="${base}/docs/redoc.js"></script>
<script nonce="${nonce}">
Redoc.init(${JSON.stringify(`${base}/docs/openapi.json`)}, ${JSON.stringify({ downloadDefinitionUrl: `${base}/openapi.json`, ...OPTIONS, nonce })}, document.getElementById('docs'));
</script>
</body>
</html>
`;
