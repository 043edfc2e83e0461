import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { addressIn, type Config } from '#configuration';
import { ProviderOptions } from '#dashboard';
import { Logger } from '#kernel';

export abstract class DashboardOptions extends ProviderOptions {
  /** The public address of the API. Without it, the address at which the API listens. */
  abstract readonly apiUrl: Config['apiUrl'];
  /** Proxies whose `X-Forwarded-*` headers count. */
  abstract readonly trustedProxies: Config['trustedProxies'];
}

/** Login cookies hold a page. Five of them take less than half of the limit for a request's headers. */
const MAX_PAGE_BYTES = 800;

/** Marks a redirect from another host. */
const REDIRECTED = 'redirected';
const MAX_HOST_LENGTH = 255;

/** The dashboard's own address. Everything that a browser gets is made from it, never from a `Host` header. */
@Injectable()
export class DashboardAddress {
  readonly origin: string;
  readonly host: string;
  readonly isSecure: boolean;
  private readonly protocol: string;
  /** Distinguishes dashboards on different ports of one machine, because cookies ignore ports. */
  readonly port: string;

  constructor(
    private readonly options: DashboardOptions,
    private readonly logger: Logger,
  ) {
    const { origin, host, protocol, port } = new URL(options.url);
    this.origin = origin;
    this.host = host;
    this.protocol = protocol;
    this.isSecure = protocol === 'https:';
    this.port = port || (this.isSecure ? '443' : '80');
  }

  get url(): string {
    return this.options.url;
  }

  /**
   * The same path at the dashboard's own host, if the request names another host, whose cookies differ. A request that
   * was redirected once is served (D114): a proxy that drops the host would cause an endless loop.
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

  /** The page at the path. Falls back to the start page if it is too long or is not a page of the dashboard. */
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

const NO_PAGE = /^\/dashboard\/(?:api|assets|login|callback|logout|signed-out)(?:\/|$)/;
