import type { Socket } from 'node:net';
import { type buildConnector, Client, type Dispatcher, Pool } from 'undici';
import { type Clock, type Duration, MINUTE, SECOND } from '#kernel';
import type { SendOutcome, WebhookRequest } from '#webhooks';
import { Attempt } from './attempt.js';

type Options = Client.Options & { readonly connect: buildConnector.connector };

/** One connection of a pool. It serves one request at a time. */
class KeptConnection extends Client {
  private readonly opened: { socket?: Socket };

  constructor(origin: string | URL, { connect, ...options }: Options) {
    const opened: { socket?: Socket } = {};
    super(origin, {
      ...options,
      connect: (target, callback) =>
        connect(target, (...[error, socket]: buildConnector.CallbackArgs) => {
          if (error !== null) return callback(error, null);
          opened.socket = socket;
          callback(null, socket);
        }),
    });
    this.opened = opened;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Attempt): boolean {
    const { socket } = this.opened;
    const bytesBefore = socket?.bytesRead;
    handler.isClosedUnanswered =
      socket === undefined || socket.destroyed ? undefined : () => socket.destroyed && socket.bytesRead === bytesBefore;
    return super.dispatch(options, handler);
  }
}

export interface TargetPoolOptions {
  readonly connect: buildConnector.connector;
  readonly clock: Clock;
  readonly timeout: Duration;
  /** The longest age of a connection; default: a minute. */
  readonly maxConnectionAge?: Duration;
}

export const MAX_SOCKETS = 64;
/** After this time a new connection is opened, and the name is resolved and checked again. */
const MAX_CONNECTION_AGE: Duration = MINUTE;
const MAX_HEADER_BYTES = 16 * 1024;
/** Firewalls in front of receivers may treat requests without a user agent as those of a robot. */
const USER_AGENT = 'creator-protection-webhooks';

/** The connections to one target. They are separate from those of other targets, also of the same host (D63). */
export class TargetPool {
  private pool: Pool;
  private madeAt = performance.now();
  /** Pools whose connections are too old; they close when their requests have ended. */
  private readonly retired = new Set<Pool>();
  /** Connections for one repeated request each. */
  private readonly alone = new Set<Client>();
  private readonly connection: Client.Options;
  private readonly path: string;
  private readonly waiting: (() => void)[] = [];
  private running = 0;
  lastUsed = performance.now();

  constructor(
    private readonly url: URL,
    private readonly options: TargetPoolOptions,
  ) {
    this.path = url.pathname + url.search;
    this.connection = {
      connect: options.connect,
      pipelining: 1,
      // HTTP/2 may repeat a request after a GOAWAY, but an attempt must be sent once.
      allowH2: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveTimeout: 4 * SECOND,
      keepAliveMaxTimeout: 30 * SECOND,
      // The attempt's own time limit covers both, even if single bytes arrive.
      headersTimeout: 0,
      bodyTimeout: 0,
    };
    this.pool = this.open();
  }

  get isIdle(): boolean {
    return this.running === 0;
  }

  send(request: WebhookRequest): Promise<SendOutcome> {
    // The five seconds begin with connecting; waiting for a connection comes before.
    if (this.running === MAX_SOCKETS) {
      return new Promise<void>((next) => this.waiting.push(next)).then(() => this.begin(request));
    }
    this.running++;
    return this.begin(request);
  }

  /** Closes what is left: bodies of answers whose outcome is known already. */
  close(): Promise<void> {
    return Promise.all([this.pool, ...this.retired, ...this.alone].map((connections) => connections.destroy())).then(
      () => undefined,
    );
  }

  private open(): Pool {
    const { connect } = this.options;
    return new Pool(this.url.origin, {
      ...this.connection,
      connections: MAX_SOCKETS,
      factory: (origin, options) => new KeptConnection(origin, { ...options, connect }),
    });
  }

  private begin({ body, headers }: WebhookRequest): Promise<SendOutcome> {
    this.renew();
    const { path } = this;
    const request = { method: 'POST' as const, path, headers: { 'User-Agent': USER_AGENT, ...headers }, body };
    const { clock, timeout } = this.options;
    const attempt = new Attempt(
      clock,
      timeout,
      () => this.passOn(),
      () => this.sendAlone(request, attempt),
    );
    this.pool.dispatch(request, attempt);
    return attempt.outcome;
  }

  /** On a new connection, which ends with the answer. */
  private sendAlone(request: Dispatcher.DispatchOptions, attempt: Attempt): void {
    const client = new Client(this.url.origin, this.connection);
    this.alone.add(client);
    client.dispatch(request, attempt);
    void client.close().finally(() => this.alone.delete(client));
  }

  /** All together, because undici's own age limit reads the clock for each connection, twice per request. */
  private renew(): void {
    const now = performance.now();
    if (now - this.madeAt < (this.options.maxConnectionAge ?? MAX_CONNECTION_AGE)) return;
    const old = this.pool;
    this.retired.add(old);
    void old.close().finally(() => this.retired.delete(old));
    this.pool = this.open();
    this.madeAt = now;
  }

  private passOn(): void {
    this.lastUsed = performance.now();
    const next = this.waiting.shift();
    if (next === undefined) this.running--;
    else next();
  }
}
