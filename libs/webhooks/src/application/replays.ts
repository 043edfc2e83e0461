import {
  Command,
  CommandBus,
  CommandHandler,
  type ICommandHandler,
  type IQueryHandler,
  QueryBus,
  QueryHandler,
} from '@nestjs/cqrs';
import { GetBinding } from '#agencies';
import { FeedIndex, instantIn } from '#event-feed';
import { TaskCommand } from '#jobs';
import {
  Clock,
  type CommandContext,
  DomainError,
  type Duration,
  EventLog,
  type Instant,
  LanePositions,
  type Revision,
  SECOND,
  type TaskOutcome,
  type WebhookDeliveryId,
  type WebhookEndpointId,
  type WorkspaceId,
} from '#kernel';
import { DASHBOARD_READ_MODELS, READ_MODELS } from '#projections';
import { type DeliveryFilter, replayDelivery, requireKnown, type WebhookDelivery } from '../domain/webhook-delivery.js';
import { requireActive } from '../domain/webhook-endpoint.js';
import {
  advanceReplay,
  endReplay,
  type ReplayEnd,
  type RequestedReplay,
  requestReplay,
  requireReplay,
  type WebhookReplay,
} from '../domain/webhook-replay.js';
import { type DeliveryDocument, DeliveryList } from '../read-models/delivery-list.js';
import { AgencyQuery, EndpointList } from '../read-models/endpoint-list.js';
import { countDeliveries, SearchDeliveries } from '../read-models/search-deliveries.js';
import { EndpointCommand, EndpointQuery } from './endpoint-commands.js';
import { WebhookDeliveryRepository, WebhookEndpointRepository, WebhookReplayRepository } from './repositories.js';

/** D62: up to five new attempts; a pending one does not change. Refused where nothing would be sent. */
export class ReplayDelivery extends Command<WebhookDelivery> {
  constructor(
    readonly deliveryId: WebhookDeliveryId,
    readonly context: CommandContext,
    /** The number of the endpoint's replay that has chosen it; a repeat changes nothing. */
    readonly replay?: number,
  ) {
    super();
  }
}

@CommandHandler(ReplayDelivery)
export class ReplayDeliveryHandler implements ICommandHandler<ReplayDelivery> {
  constructor(
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly endpoints: WebhookEndpointRepository,
  ) {}

  async execute({ deliveryId, context, replay }: ReplayDelivery): Promise<WebhookDelivery> {
    const delivery = await this.deliveries.load(deliveryId);
    const { endpointId, workspaceId } = requireKnown(delivery.state);
    await this.endpoints.findBound(endpointId, requireActive);
    const decide = (state: WebhookDelivery) => replayDelivery(state, replay);
    return (await this.deliveries.update(delivery, { ...context, workspaceId }, decide)).state;
  }
}

/** Replays all deliveries to an endpoint that match, of events up to now. A worker does it, new events first. */
export class RequestReplay extends Command<RequestedReplay> {
  constructor(
    readonly endpointId: WebhookEndpointId,
    readonly filter: DeliveryFilter,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(RequestReplay)
export class RequestReplayHandler implements ICommandHandler<RequestReplay> {
  constructor(
    private readonly endpoints: WebhookEndpointRepository,
    private readonly replays: WebhookReplayRepository,
    private readonly queries: QueryBus,
    private readonly feed: FeedIndex,
    private readonly clock: Clock,
  ) {}

  async execute({ endpointId, filter: asked, context }: RequestReplay): Promise<RequestedReplay> {
    const { agencyId, workspaceId } = (await this.endpoints.findBound(endpointId, requireActive)).state;
    const filter = { ...asked, to: Math.min(asked.to ?? Number.MAX_SAFE_INTEGER, await this.present(workspaceId)) };
    const { count, isMore } = await countDeliveries(this.queries, agencyId, { ...filter, endpointId });
    const total = { count, isMore };
    const request = { endpointId, agencyId, workspaceId, filter, total };
    const decide = (replay: WebhookReplay) => requestReplay(replay, request);
    return requireReplay((await this.replays.update(endpointId, { ...context, workspaceId }, decide)).state);
  }

  /** The time of the newest event may be later than that of its publication, as the times in a feed rise. */
  private async present(workspaceId: WorkspaceId): Promise<Instant> {
    const [newest] = await this.feed.newest(workspaceId, {}, 1);
    return Math.max(this.clock.now(), newest === undefined ? 0 : instantIn(newest.id));
  }
}

/** Limits how many deliveries of a replay are pending together, so that new events do not queue behind it. */
const MAX_PENDING = 200;
const POLL_INTERVAL: Duration = SECOND;
const CATCH_UP_TIMEOUT: Duration = 5 * SECOND;

/** Replays the next deliveries of a replay. Interrupted, it does so again; each delivery is replayed once for a replay. */
export class AdvanceReplay extends TaskCommand<WebhookEndpointId> {}

@CommandHandler(AdvanceReplay)
export class AdvanceReplayHandler implements ICommandHandler<AdvanceReplay> {
  /** The deliveries that a replay had made pending at a revision. Another leader may have recorded later ones. */
  private readonly pending = new Map<
    WebhookEndpointId,
    { readonly revision: Revision; readonly ids: readonly WebhookDeliveryId[] }
  >();

  constructor(
    private readonly replays: WebhookReplayRepository,
    private readonly endpoints: WebhookEndpointRepository,
    private readonly deliveries: DeliveryList,
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly log: EventLog,
    private readonly positions: LanePositions,
    private readonly clock: Clock,
  ) {}

  async execute({ subject: endpointId, context }: AdvanceReplay): Promise<TaskOutcome> {
    const retryAt = this.clock.now() + POLL_INTERVAL;
    const head = await this.log.head();
    // Before the replay is loaded: a person may end it during this wait.
    const lanes = [READ_MODELS, DASHBOARD_READ_MODELS];
    if (!(await this.positions.waitForPosition(lanes, head, CATCH_UP_TIMEOUT))) return { retryAt };
    const loaded = await this.replays.load(endpointId);
    const { state, revision } = loaded;
    const known = this.pending.get(endpointId);
    // The replay may be over, and a step that fails may have replayed some deliveries.
    this.pending.delete(endpointId);
    if (state.status !== 'running') return 'idle';
    // Requested during the wait: the read models may lack what happened before it.
    if (loaded.position > head) return { retryAt };
    const obstacle = await this.obstacle(state);
    if (obstacle !== undefined) {
      await this.replays.update(loaded, context, (replay) => endReplay(replay, obstacle));
      return 'done';
    }
    const { agencyId, number, filter, after } = state;
    const counted = known?.revision === revision ? this.deliveries.getMany(known.ids) : this.replaying(state);
    const isPending = ({ status, replay }: DeliveryDocument) => status === 'pending' && replay === number;
    const pending = (await counted).filter(isPending).map(({ id }) => id as WebhookDeliveryId);
    const room = MAX_PENDING - pending.length;
    if (room <= 0) {
      this.pending.set(endpointId, { revision, ids: pending });
      return { retryAt };
    }
    const search = new SearchDeliveries(agencyId, { ...filter, endpointId }, room, after ?? undefined);
    const { deliveries, next } = await this.queries.execute(search);
    const ids = deliveries.map(({ id }) => id as WebhookDeliveryId);
    await Promise.all(ids.map((id) => this.commands.execute(new ReplayDelivery(id, context, number))));
    const step = { number, before: after, replayed: ids.length, next: next?.id ?? null };
    const advanced = await this.replays.update(loaded, context, (replay) => advanceReplay(replay, step));
    if (next !== null) this.pending.set(endpointId, { revision: advanced.revision, ids: [...pending, ...ids] });
    return 'done';
  }

  /** Reads all that is pending for the agency. */
  private async replaying(replay: RequestedReplay): Promise<readonly DeliveryDocument[]> {
    const filter = { status: 'pending', replay } as const;
    const search = new SearchDeliveries(replay.agencyId, filter, MAX_PENDING, undefined, Number.POSITIVE_INFINITY);
    return (await this.queries.execute(search)).deliveries;
  }

  /** Why nothing can be sent to the endpoint any more. */
  private async obstacle({ endpointId, agencyId }: RequestedReplay): Promise<ReplayEnd | undefined> {
    const { state: endpoint } = await this.endpoints.load(endpointId);
    if (endpoint.status !== 'active') return 'endpoint_disabled';
    const { epoch } = await this.queries.execute(new GetBinding(agencyId));
    return endpoint.epoch < epoch ? 'access_revoked' : undefined;
  }
}

/** Replays nothing more; pending deliveries are still attempted. */
export class EndReplay extends EndpointCommand<RequestedReplay> {}

@CommandHandler(EndReplay)
export class EndReplayHandler implements ICommandHandler<EndReplay> {
  constructor(private readonly replays: WebhookReplayRepository) {}

  async execute({ endpointId, context }: EndReplay) {
    const loaded = await this.replays.load(endpointId);
    const { workspaceId } = requireReplay(loaded.state);
    const { state } = await this.replays.update(loaded, { ...context, workspaceId }, (replay) =>
      endReplay(replay, 'ended_by_person'),
    );
    return requireReplay(state);
  }
}

export class GetReplay extends EndpointQuery<RequestedReplay> {}

@QueryHandler(GetReplay)
export class GetReplayHandler implements IQueryHandler<GetReplay> {
  constructor(private readonly replays: WebhookReplayRepository) {}

  async execute({ agencyId, endpointId }: GetReplay) {
    const replay = requireReplay((await this.replays.load(endpointId)).state);
    if (agencyId !== undefined && replay.agencyId !== agencyId) throw new DomainError('not_found');
    return replay;
  }
}

/** The latest replay of each active endpoint of an agency that had one, in the order of the endpoints. */
export class ListReplays extends AgencyQuery<readonly RequestedReplay[]> {}

@QueryHandler(ListReplays)
export class ListReplaysHandler implements IQueryHandler<ListReplays> {
  constructor(
    private readonly endpoints: EndpointList,
    private readonly replays: WebhookReplayRepository,
  ) {}

  async execute({ agencyId }: ListReplays) {
    const active = (await this.endpoints.ofAgency(agencyId)).filter(({ status }) => status === 'active');
    const replays = await Promise.all(active.map(({ id }) => this.replays.load(id)));
    return replays.flatMap(({ state }) => (state.status === 'none' ? [] : [state]));
  }
}
