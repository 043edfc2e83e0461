import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { addressIn } from '#configuration';
import { Logger } from '#kernel';
import { DashboardOptions } from './dashboard.options.js';

/** Of a page, as the cookie of a login holds it: five such cookies take less than half of what a request's headers may. */
const MAX_PAGE_BYTES = 800;

/** Marks what was redirected from another host. */
const REDIRECTED = 'redirected';
/** The names of hosts are shorter. */
const MAX_HOST_LENGTH = 255;

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

  constructor(
    private readonly options: DashboardOptions,
    private readonly logger: Logger,
  ) {
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

  /**
   * The same path at the dashboard's own host, if the request came for another one, whose cookies would be others. A
   * request that comes from there is served (D114): a proxy that drops the host would lead around forever.
   */
  elsewhere(request: FastifyRequest): string | undefined {
    const named = this.namedBy(request);
    if (this.parsedHost(named) === this.host) return undefined;
    const { pathname, search, searchParams } = new URL(request.originalUrl, this.origin);
    const seen = { request_id: request.id, host: named.slice(0, MAX_HOST_LENGTH), expected: this.host };
    if (searchParams.has(REDIRECTED)) {
      this.logger.warn(seen, 'a request for the dashboard names another host; check what the proxy passes as Host');
      return undefined;
    }
    this.logger.info(seen, 'a request for the dashboard names another host; it is redirected');
    return `${this.origin}${pathname}${search}${search === '' ? '?' : '&'}${REDIRECTED}=1`;
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

  private namedBy({ headers, raw }: FastifyRequest): string {
    const peer = addressIn(raw.socket.remoteAddress ?? '');
    const isForwarded = peer !== undefined && this.options.trustedProxies.includes(peer);
    const forwarded = isForwarded ? headers['x-forwarded-host'] : undefined;
    // Each proxy of a chain may add the host that it saw; the first one saw the browser's.
    const [asked = ''] = forwarded === undefined ? [headers.host] : forwarded.toString().split(',');
    return asked.trim();
  }

  /** Without the usual port, which some proxies add. */
  private parsedHost(text: string): string | undefined {
    const address = `${this.protocol}//${text}`;
    return /[/\\?#@]/.test(text) || !URL.canParse(address) ? undefined : new URL(address).host;
  }
}

/** What is under the same path and no page. */
const NO_PAGE = /^\/dashboard\/(?:api|assets|login|callback|logout|signed-out)(?:\/|$)/;
