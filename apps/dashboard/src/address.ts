import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { addressIn } from '#configuration';
import { DashboardOptions } from './dashboard.options.js';

/** Of a page, as the cookie of a login holds it: five such cookies take less than half of what a request's headers may. */
const MAX_PAGE_BYTES = 800;

/** Where people reach the dashboard. Everything that is sent to a browser is made from this address, never from a `Host`. */
@Injectable()
export class DashboardAddress {
  readonly origin: string;
  readonly host: string;
  readonly callback: string;
  readonly isSecure: boolean;
  private readonly protocol: string;
  /** Distinguishes dashboards on the ports of one machine, because cookies know no ports. */
  readonly port: string;

  constructor(private readonly options: DashboardOptions) {
    const { origin, host, protocol, port } = new URL(options.url);
    this.origin = origin;
    this.host = host;
    this.callback = `${options.url}/callback`;
    this.protocol = protocol;
    this.isSecure = protocol === 'https:';
    this.port = port || (this.isSecure ? '443' : '80');
  }

  get url(): string {
    return this.options.url;
  }

  /** The same path at the dashboard's own host, if the request came for another one, whose cookies would be others. */
  elsewhere(request: FastifyRequest): string | undefined {
    if (this.hostOf(request) === this.host) return undefined;
    const { pathname, search } = new URL(request.originalUrl, this.origin);
    return this.origin + pathname + search;
  }

  /** The page of that path and query; the start page for one that is too long, and for what is no page of the dashboard. */
  pageAt(path: string | undefined): string {
    const start = `${this.url}/`;
    if (path === undefined || !path.startsWith('/') || !URL.canParse(path, this.origin)) return start;
    const { origin, pathname, search } = new URL(path, this.origin);
    const isPage = pathname === '/dashboard' || (pathname.startsWith('/dashboard/') && !NO_PAGE.test(pathname));
    const page = origin + pathname + search;
    const isShort = Buffer.byteLength(JSON.stringify(page)) <= MAX_PAGE_BYTES;
    return origin === this.origin && isPage && isShort ? page : start;
  }

  private hostOf({ headers, raw }: FastifyRequest): string | undefined {
    const peer = addressIn(raw.socket.remoteAddress ?? '');
    const isForwarded = peer !== undefined && this.options.trustedProxies.includes(peer);
    const forwarded = isForwarded ? headers['x-forwarded-host'] : undefined;
    // Each proxy of a chain may add the host that it saw; the first one saw the browser's.
    const [asked = ''] = forwarded === undefined ? [headers.host] : forwarded.toString().split(',');
    return this.parsedHost(asked.trim());
  }

  /** Without the usual port, which some proxies add. */
  private parsedHost(text: string): string | undefined {
    const address = `${this.protocol}//${text}`;
    return /[/\\?#@]/.test(text) || !URL.canParse(address) ? undefined : new URL(address).host;
  }
}

/** What is under the same path and no page. */
const NO_PAGE = /^\/dashboard\/(?:api|assets|login|callback|logout|signed-out)(?:\/|$)/;
