import type { Socket } from 'node:net';
import { type buildConnector, Client, type Dispatcher } from 'undici';

/** A request that wants to know the connection that has served earlier requests; undefined: it goes over a new one. */
export interface ConnectionAware {
  kept: KeptSocket | undefined;
}

/** A connection as a request found it. */
export class KeptSocket {
  private readonly bytesBefore: number;

  constructor(private readonly socket: Socket) {
    this.bytesBefore = socket.bytesRead;
  }

  /** It ended before a byte of the answer. */
  get isClosedUnanswered(): boolean {
    return this.socket.destroyed && this.socket.bytesRead === this.bytesBefore;
  }
}

type Options = Client.Options & { readonly connect: buildConnector.connector };

/** One connection of a pool. It serves one request at a time. */
export class KeptConnection extends Client {
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

  override dispatch(
    options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler & ConnectionAware,
  ): boolean {
    const { socket } = this.opened;
    handler.kept = socket === undefined || socket.destroyed ? undefined : new KeptSocket(socket);
    return super.dispatch(options, handler);
  }
}
