import { createHash } from 'node:crypto';

/** The sandbox's own pages: simple versions of what a person sees on the real platform. */
const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem;color-scheme:light dark}form{display:inline}li{margin:.5rem 0}';
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** `policy`: further directives of the Content-Security-Policy. */
export const htmlHeaders = (policy: string) => ({
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; frame-ancestors 'none'; ${policy}`,
});

export function htmlPage(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${STYLE}</style></head><body><main><h1>${title}</h1>${body}</main></body></html>`;
}

export const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
