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
import { setPageHeaders } from './page-headers.js';

const ASSETS = '/dashboard/assets/';
const NO_PAGE = /^\/dashboard\/(?:api|assets)(?:\/|$)/;
const NONCE = /__CSP_NONCE__/g;
const SESSION = '__SESSION__';
const FOREVER = 'public, max-age=31536000, immutable';

/** Serves the page for every path under `/dashboard` that is nothing else, and the files that it is made of. */
@Injectable()
export class PageServer {
  private readonly page = readPage();

  constructor(
    host: HttpAdapterHost,
    private readonly address: DashboardAddress,
    private readonly cookies: DashboardCookies,
    private readonly logger: Logger,
  ) {
    const fastify: FastifyInstance = host.httpAdapter.getInstance();
    if (this.page !== undefined) serveAssets(fastify, this.page.assets);
    // D69: an answer that is made while the request is still being read would be the last of its connection.
    const answer = (request: FastifyRequest, reply: FastifyReply) =>
      void setImmediate(() => this.answer(request, reply));
    for (const path of ['/dashboard', '/dashboard/*']) fastify.get(path, answer);
  }

  private answer(request: FastifyRequest, reply: FastifyReply): void {
    const [path = ''] = request.url.split('?', 1);
    if (this.page === undefined || NO_PAGE.test(path) || !acceptsHtml(request.headers)) {
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
    reply.type('text/html; charset=utf-8').send(this.page.html.replace(NONCE, nonce).replace(SESSION, session));
  }
}

/** Their names change with their contents. A missing one is answered like every unknown path. */
const serveAssets = (fastify: FastifyInstance, root: string): void => {
  fastify.register(async (assets) => {
    assets.addHook('onSend', (_request, reply, _payload, done) => {
      if (reply.statusCode < 300 || reply.statusCode === 304) reply.header('cache-control', FOREVER);
      done();
    });
    assets.register(fastifyStatic, {
      root,
      prefix: ASSETS,
      decorateReply: false,
      preCompressed: true,
      index: false,
    });
  });
};

/** The output of `npm run build` for `apps/dashboard/web`. */
export interface PageFiles {
  readonly assets: string;
  /** Has `__CSP_NONCE__` wherever the nonce of an answer belongs, and `__SESSION__` where it says if the request had one. */
  readonly html: string;
}

/** Next to this file in a build; sources use the latest build. */
const FOLDERS = ['../../web', '../../../../dist/apps/dashboard/web'].map((path) => join(import.meta.dirname, path));

/** Undefined if no page was built. */
export const readPage = (): PageFiles | undefined => {
  const folder = FOLDERS.find((each) => existsSync(join(each, 'assets')));
  if (folder === undefined) return undefined;
  return { assets: join(folder, 'assets'), html: readFileSync(join(folder, 'index.html'), 'utf8') };
};
