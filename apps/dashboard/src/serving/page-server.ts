import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fastifyStatic } from '@fastify/static';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { acceptsHtml, sendError } from '#http';
import { DomainError, Logger } from '#kernel';
import { DashboardAddress } from '../address.js';
import { DashboardCookies } from '../cookies.js';

const NO_PAGE = /^\/dashboard\/(?:api|assets)(?:\/|$)/;
const FOREVER = 'public, max-age=31536000, immutable';

/** Serves the page for every other path under `/dashboard`, and the files of `npm run build` for `apps/dashboard/web`. */
@Injectable()
export class PageServer {
  /** Has `__CSP_NONCE__` for the nonce of a response, and `__SESSION__` for whether the request had a session. */
  private readonly html: string | undefined;

  constructor(
    host: HttpAdapterHost,
    private readonly address: DashboardAddress,
    private readonly cookies: DashboardCookies,
    private readonly logger: Logger,
  ) {
    const fastify: FastifyInstance = host.httpAdapter.getInstance();
    const folder = FOLDERS.find((each) => existsSync(join(each, 'assets')));
    if (folder !== undefined) {
      this.html = readFileSync(join(folder, 'index.html'), 'utf8');
      serveAssets(fastify, join(folder, 'assets'));
    }
    // D69: an answer that is sent while the request is still being read would be the last of its connection.
    const answer = (request: FastifyRequest, reply: FastifyReply) =>
      void setImmediate(() => this.answer(request, reply));
    for (const path of ['/dashboard', '/dashboard/*']) fastify.get(path, answer);
  }

  private answer(request: FastifyRequest, reply: FastifyReply): void {
    const [path = ''] = request.url.split('?', 1);
    if (this.html === undefined || NO_PAGE.test(path) || !acceptsHtml(request.headers)) {
      sendError(new DomainError('not_found'), request, reply, this.logger);
      return;
    }
    const elsewhere = this.address.elsewhere(request);
    if (elsewhere !== undefined) {
      reply.redirect(elsewhere, 307);
      return;
    }
    const nonce = randomBytes(16).toString('base64url');
    setPageHeaders(reply, nonce);
    const session = this.cookies.secretIn(request) === undefined ? 'none' : 'given';
    reply
      .type('text/html; charset=utf-8')
      .send(this.html.replaceAll('__CSP_NONCE__', nonce).replace('__SESSION__', session));
  }
}

/** Asset names change with their contents. */
const serveAssets = (fastify: FastifyInstance, root: string): void => {
  fastify.register(async (assets) => {
    assets.addHook('onSend', (_request, reply, _payload, done) => {
      if (reply.statusCode < 300 || reply.statusCode === 304) reply.header('cache-control', FOREVER);
      done();
    });
    const prefix = '/dashboard/assets/';
    assets.register(fastifyStatic, { root, prefix, decorateReply: false, preCompressed: true, index: false });
  });
};

/** In a build, the page is next to this file. The sources use the latest build. */
const FOLDERS = ['../../web', '../../../../dist/apps/dashboard/web'].map((path) => join(import.meta.dirname, path));

/** Allows a page to load only its own files, and styles and scripts that carry the nonce of this response. */
export const setPageHeaders = (reply: FastifyReply, nonce: string | undefined): void => {
  const ours = nonce === undefined ? "'none'" : `'self' 'nonce-${nonce}'`;
  const policy = [
    "default-src 'none'",
    `script-src ${ours}`,
    `style-src ${ours}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  reply.headers({
    'content-security-policy': policy.join('; '),
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  });
};
