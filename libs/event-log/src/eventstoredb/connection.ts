import { EventStoreDBClient } from '@eventstore/db-client';
import grpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Duration } from '#kernel';
import { NoAnswer } from './failures.js';
import type { ByteLimit } from './recorded.js';

type ReadCall = ReturnType<grpc.StreamsClient['read']>;
export type BatchAppendCall = ReturnType<grpc.StreamsClient['batchAppend']>;

export interface Reading {
  readonly signal?: AbortSignal | undefined;
  /** How long the server may be silent; default: without limit. */
  readonly silence?: Duration;
  /** Ends the call when this many bytes of events were decoded: the rest is not read. */
  readonly limit?: ByteLimit;
}

/**
 * The client finds the leader of a cluster and reconnects after failures; the protocol's own calls go over its connection.
 * Its methods have defects: `readAll` ignores filters, `appendToStream` shares one table of answers in the process, so
 * that a broken connection ends the process, and `dispose` leaves the connection open. `client-defects.spec.ts` fails
 * when the client has been fixed; docs/adr/0008-eventstoredb-client.md gives versions and the successor.
 */
export class Connection {
  readonly #client: EventStoreDBClient;

  constructor(url: string) {
    ignoreProxies();
    this.#client = EventStoreDBClient.connectionString(url);
  }

  batchAppend(): Promise<BatchAppendCall> {
    return this.#call((client, [metadata, options]) => client.batchAppend(metadata, options));
  }

  subscribe(request: streams.ReadReq): Promise<ReadCall> {
    return this.#call((client, [metadata, options]) => client.read(request, metadata, options));
  }

  /** The server's whole answer to a request that has an end, or the part of it up to the limit. */
  async read<T>(
    request: streams.ReadReq,
    understand: (message: streams.ReadResp) => T,
    { signal, silence, limit }: Reading = {},
  ): Promise<T[]> {
    signal?.throwIfAborted();
    const call = await this.subscribe(request);
    const understood: T[] = [];
    const stop = () => call.cancel();
    signal?.addEventListener('abort', stop);
    let timer: NodeJS.Timeout | undefined;
    let isFull = false;
    try {
      await new Promise<void>((resolve, reject) => {
        if (silence !== undefined) timer = setTimeout(() => reject(new NoAnswer('no answer to a read')), silence);
        call.on('data', (message: streams.ReadResp) => {
          timer?.refresh();
          // Until it is cancelled, the call returns what has arrived.
          if (isFull) return;
          try {
            understood.push(understand(message));
            limit?.count(message);
            isFull = limit?.isReached ?? false;
            if (isFull) resolve();
          } catch (error) {
            reject(error);
          }
        });
        call.once('end', resolve);
        call.once('error', reject);
      });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      call.cancel();
    }
    return understood;
  }

  async close(): Promise<void> {
    await this.#client.dispose();
    // biome-ignore lint/complexity/useLiteralKeys: protected, for what extends the client
    const channel = await this.#client['getChannel']().catch(() => undefined);
    channel?.close();
  }

  #call<Call extends ReadCall | BatchAppendCall>(
    make: (client: grpc.StreamsClient, sending: ReturnType<EventStoreDBClient['callArguments']>) => Call,
  ): Promise<Call> {
    const client = this.#client;
    // Calls have no deadline; a time limit is set here where one is needed. Followers may lag, but decisions here must
    // be based on everything that is committed.
    // biome-ignore lint/complexity/useLiteralKeys: protected, for what extends the client
    return client['GRPCStreamCreator'](grpc.StreamsClient, 'event-log', (stub) =>
      // biome-ignore lint/complexity/useLiteralKeys: protected, for what extends the client
      make(stub, client['callArguments']({ requiresLeader: true }, { deadline: Number.POSITIVE_INFINITY })),
    )();
  }
}

const PROXY_VARIABLES = ['grpc_proxy', 'https_proxy', 'http_proxy'];

/** Proxy variables are ignored (D64). The client does not pass on gRPC's option for this, so they are removed here. */
const ignoreProxies = (): void => {
  for (const name of PROXY_VARIABLES) delete process.env[name];
};
