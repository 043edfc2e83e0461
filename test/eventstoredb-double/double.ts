import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import gossip, { type IGossipServer } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import members from '@eventstore/db-client/generated/gossip_pb.js';
import features, { type IServerFeaturesServer } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import methods from '@eventstore/db-client/generated/serverfeatures_pb.js';
import streams, { type IStreamsServer } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import messages from '@eventstore/db-client/generated/streams_pb.js';
import { type Metadata, Server, ServerCredentials } from '@grpc/grpc-js';
import { freePort } from '../support/free-port.js';
import { Appends } from './appends.js';
import { Faults } from './faults.js';
import { nameOf, notLeader } from './messages.js';
import { read } from './reads.js';
import { Records } from './records.js';

const HOST = '127.0.0.1';

/**
 * Speaks EventStoreDB's protocol, as far as this project's use of it goes, with the client package's own definitions.
 * It keeps its log in a file, and copies the real server where that hurts; `faults` says which faults to simulate.
 */
export class EventStoreDbDouble {
  readonly faults = new Faults();
  /** How many reads of streams and of the log's end, subscriptions and appends it has answered. */
  readonly answered = { streamReads: 0, heads: 0, subscriptions: 0, appends: 0 };
  private readonly records: Records;
  private readonly sockets = new Set<Socket>();
  private readonly server = new Server();
  private readonly listener = createServer();

  private constructor(file: string) {
    this.records = new Records(file);
    this.records.onAppend(() => this.answered.appends++);
    const appends = new Appends(this.records, this.faults, () => this.loseConnections());
    this.server.addService(streams.StreamsService, {
      append: (call, done) => appends.single(call, done),
      batchAppend: (call) => appends.batch(call),
      read: (call) => {
        call.on('error', () => {});
        const leader = isForLeader(call.metadata) ? this.faults.leaderElsewhere() : undefined;
        if (leader) call.emit('error', notLeader(leader.host, leader.port));
        else {
          const options = call.request.getOptions();
          if (options?.hasStream()) this.answered.streamReads++;
          if (options?.getAll()?.hasEnd() && !options.hasSubscription()) this.answered.heads++;
          if (options?.hasSubscription()) this.answered.subscriptions++;
          void read(this.records, this.faults, call);
        }
      },
      delete: (call, done) => {
        this.records.delete(nameOf(call.request.getOptions()?.getStreamIdentifier()));
        done(null, new messages.DeleteResp());
      },
      tombstone: (call, done) => {
        this.records.tombstone(nameOf(call.request.getOptions()?.getStreamIdentifier()));
        done(null, new messages.TombstoneResp());
      },
    } satisfies IStreamsServer);
    this.server.addService(features.ServerFeaturesService, {
      getSupportedMethods: (_, done) => done(null, supportedMethods()),
    } satisfies IServerFeaturesServer);
    this.server.addService(gossip.GossipService, {
      read: (_, done) => done(null, this.cluster()),
    } satisfies IGossipServer);
    // Its connections are made here, so that they can be lost here.
    const injector = this.server.createConnectionInjector(ServerCredentials.createInsecure());
    this.listener.on('connection', (socket) => {
      socket.setNoDelay();
      socket.on('error', () => {});
      socket.on('close', () => this.sockets.delete(socket));
      this.sockets.add(socket);
      injector.injectConnection(socket);
    });
  }

  static async start({ file, port }: { readonly file: string; readonly port?: number }): Promise<EventStoreDbDouble> {
    const double = new EventStoreDbDouble(file);
    await double.listen(port ?? (await freePort()));
    return double;
  }

  get port(): number {
    return (this.listener.address() as AddressInfo).port;
  }

  get url(): string {
    return `esdb://${HOST}:${this.port}?tls=false`;
  }

  /** Breaks all connections and the calls under way on them. */
  loseConnections(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  /** Nobody gets through while the task runs. */
  async whileAway<T>(task: () => Promise<T>): Promise<T> {
    const { port } = this;
    this.listener.close();
    this.loseConnections();
    await once(this.listener, 'close');
    try {
      return await task();
    } finally {
      await this.listen(port);
    }
  }

  async stop(): Promise<void> {
    this.server.forceShutdown();
    this.loseConnections();
    if (this.listener.listening) {
      this.listener.close();
      await once(this.listener, 'close');
    }
    this.records.close();
  }

  private async listen(port: number): Promise<void> {
    this.listener.listen(port, HOST);
    await once(this.listener, 'listening');
  }

  private cluster(): members.ClusterInfo {
    const member = new members.MemberInfo()
      .setIsAlive(true)
      .setState(members.MemberInfo.VNodeState.LEADER)
      .setHttpEndPoint(new members.EndPoint().setAddress(HOST).setPort(this.port));
    return new members.ClusterInfo().setMembersList([member]);
  }
}

const supportedMethods = (): methods.SupportedMethods => {
  const supported = new methods.SupportedMethods().setEventStoreServerVersion('23.10.0');
  for (const name of ['append', 'batchappend', 'read', 'delete', 'tombstone']) {
    supported.addMethods(
      new methods.SupportedMethod().setServiceName('event_store.client.streams.streams').setMethodName(name),
    );
  }
  return supported;
};

/** A follower answers calls that do not ask for the leader. */
const isForLeader = (metadata: Metadata): boolean => metadata.get('requires-leader').includes('true');
