import { EventStoreDBClient } from '@eventstore/db-client';
import grpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Duration } from '#kernel';
import { NoAnswer } from './failures.js';

export type ReadCall = ReturnType<grpc.StreamsClient['read']>;
export type BatchAppendCall = ReturnType<grpc.StreamsClient['batchAppend']>;

export interface Reading {
  readonly signal?: AbortSignal | undefined;
  /** How long the server may be silent, for ever where it is left out. */
  readonly silence?: Duration;
}

/**
 * The client's connection, which finds the leader of a cluster and connects anew after failures, with the protocol's
 * own calls over it. The client's methods do not serve: they filter `$all` in subscriptions only, and those that
 * append keep one table of answers for the whole process, whose loss with one call ends the process with the next
 * answer of another (kurrent-io/KurrentDB-Client-NodeJS#523).
 */
export class Connection {
  readonly #client: EventStoreDBClient;

  /** Connects when it is used. Throws on what is no connection string. */
  constructor(url: string) {
    this.#client = EventStoreDBClient.connectionString(url);
  }

  batchAppend(): Promise<BatchAppendCall> {
    return this.#call((client, [metadata, options]) => client.batchAppend(metadata, options));
  }

  subscribe(request: streams.ReadReq): Promise<ReadCall> {
    return this.#call((client, [metadata, options]) => client.read(request, metadata, options));
  }

  /** All that the server has to say to a request that has an end, understood while it comes. */
  async read<T>(
    request: streams.ReadReq,
    understand: (message: streams.ReadResp) => T,
    { signal, silence }: Reading = {},
  ): Promise<T[]> {
    signal?.throwIfAborted();
    const call = await this.subscribe(request);
    const understood: T[] = [];
    const stop = () => call.cancel();
    signal?.addEventListener('abort', stop);
    let timer: NodeJS.Timeout | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        if (silence !== undefined) timer = setTimeout(() => reject(new NoAnswer('no answer to a read')), silence);
        call.on('data', (message: streams.ReadResp) => {
          timer?.refresh();
          try {
            understood.push(understand(message));
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
    // Calls may last: what is to have an end is given one here, not by a deadline of the call. Followers lag behind, and
    // what is decided here has to follow from all that is known elsewhere.
    // biome-ignore lint/complexity/useLiteralKeys: protected, for what extends the client
    return client['GRPCStreamCreator'](grpc.StreamsClient, 'event-log', (stub) =>
      // biome-ignore lint/complexity/useLiteralKeys: protected, for what extends the client
      make(stub, client['callArguments']({ requiresLeader: true }, { deadline: Number.POSITIVE_INFINITY })),
    )();
  }
}
