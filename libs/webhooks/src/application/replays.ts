import { Injectable } from '@nestjs/common';
import {
  Command,
  CommandBus,
  CommandHandler,
  type ICommandHandler,
  type IQueryHandler,
  Query,
  QueryBus,
  QueryHandler,
} from '@nestjs/cqrs';
import { GetBinding } from '#agencies';
import { FeedIndex, instantIn } from '#event-feed';
import { TaskCommand } from '#jobs';
import {
  type AgencyId,
  type Cache,
  Caches,
  Clock,
  type CommandContext,
  CommandRunner,
  DomainError,
  type Duration,
  EventLog,
  type Instant,
  LanePositions,
  type Position,
  Repository,
  type Revision,
  SECOND,
  type TaskOutcome,
  type WebhookDeliveryId,
  type WebhookEndpointId,
  type WorkspaceId,
} from '#kernel';
import { DASHBOARD_READ_MODELS, READ_MODELS } from '#projections';
import type { DeliveryFilter } from '../domain/webhook-delivery.events.js';
import { requireActive } from '../domain/webhook-endpoint.js';
import type { ReplayEnd, WebhookReplayEvent } from '../domain/webhook-replay.events.js';
import {
  advanceReplay,
  endReplay,
  type RequestedReplay,
  type RunningReplay,
  requestReplay,
  requireReplay,
  type WebhookReplay,
  webhookReplayDecider,
} from '../domain/webhook-replay.js';
import { DeliveryList } from '../read-models/delivery-list.js';
import { EndpointList } from '../read-models/endpoint-list.js';
import { countDeliveries, SearchDeliveries } from '../read-models/search-deliveries.js';
import { EndpointCommand, EndpointQuery, requirePresentBinding } from './endpoint-commands.js';
import { ReplayDelivery } from './replay-delivery.js';
import { WebhookEndpointRepository } from './repositories.js';

@Injectable()
export class WebhookReplayRepository extends Repository<WebhookReplay, WebhookReplayEvent, WebhookEndpointId> {
  constructor(runner: CommandRunner) {
    super(webhookReplayDecider, runner);
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
    const endpoint = requireActive((await this.endpoints.load(endpointId)).state);
    await requirePresentBinding(this.queries, endpoint);
    const { agencyId, workspaceId } = endpoint;
    const filter = { ...asked, to: Math.min(asked.to ?? Number.MAX_SAFE_INTEGER, await this.present(workspaceId)) };
    const total = await countDeliveries(this.queries, agencyId, { ...filter, endpointId });
    const request = { endpointId, agencyId, workspaceId, filter, total };
    const { state } = await this.replays.update(
      await this.replays.load(endpointId),
      { ...context, workspaceId },
      (replay) => requestReplay(replay, request),
    );
    return requireReplay(state);
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
/** Some hundred replays that are under way. */
const LIMITS = { bytes: 4 * 1024 * 1024 };

/** Replays the next deliveries of a replay. Interrupted, it does so again; each delivery is replayed once for a replay. */
export class AdvanceReplay extends TaskCommand<WebhookEndpointId> {}

@CommandHandler(AdvanceReplay)
export class AdvanceReplayHandler implements ICommandHandler<AdvanceReplay> {
  /** The pending deliveries of a replay at a revision; the list would read all that are pending for the endpoint. */
  private readonly pending: Cache<
    WebhookEndpointId,
    { readonly revision: Revision; readonly ids: readonly WebhookDeliveryId[] }
  >;

  constructor(
    private readonly replays: WebhookReplayRepository,
    private readonly endpoints: WebhookEndpointRepository,
    private readonly deliveries: DeliveryList,
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly log: EventLog,
    private readonly progress: LanePositions,
    private readonly clock: Clock,
    caches: Caches = Caches.ON,
  ) {
    this.pending = caches.create(LIMITS);
  }

  async execute({ subject: endpointId, context }: AdvanceReplay): Promise<TaskOutcome> {
    const retryAt = this.clock.now() + POLL_INTERVAL;
    const head = await this.log.head();
    // Before the replay is loaded: a person may end it during this wait.
    if (!(await this.hasPassed(head))) return { retryAt };
    const loaded = await this.replays.load(endpointId);
    const { state } = loaded;
    if (state.status !== 'running') return 'idle';
    // Requested during the wait: the read models may lack what happened before it.
    if (loaded.position > head) return { retryAt };
    const obstacle = await this.obstacle(state);
    if (obstacle !== undefined) {
      await this.replays.update(loaded, context, (replay) => endReplay(replay, obstacle));
      return 'done';
    }
    const { agencyId, number, filter, after } = state;
    const pending = await this.pendingOf(state, loaded.revision);
    const room = MAX_PENDING - pending.length;
    if (room <= 0) return { retryAt };
    const search = new SearchDeliveries(agencyId, { ...filter, endpointId }, room, after ?? undefined);
    const { deliveries, next } = await this.queries.execute(search);
    const ids = deliveries.map(({ id }) => id as WebhookDeliveryId);
    // A step that fails may have replayed some of them.
    this.pending.delete(endpointId);
    await Promise.all(ids.map((id) => this.commands.execute(new ReplayDelivery(id, context, number))));
    const step = { number, before: after, replayed: ids.length, next: next?.id ?? null };
    const { revision } = await this.replays.update(loaded, context, (replay) => advanceReplay(replay, step));
    this.pending.set(endpointId, { revision, ids: [...pending, ...ids] });
    return 'done';
  }

  private async pendingOf({ endpointId, number }: RunningReplay, revision: Revision) {
    const known = this.pending.get(endpointId);
    if (known?.revision !== revision) return this.deliveries.replaying(endpointId, number, MAX_PENDING);
    const deliveries = await this.deliveries.getMany(known.ids);
    const pending = deliveries.filter(({ status, replay }) => status === 'pending' && replay === number);
    return pending.map(({ id }) => id as WebhookDeliveryId);
  }

  /** Why nothing can be sent to the endpoint any more. */
  private async obstacle({ endpointId, agencyId }: RunningReplay): Promise<ReplayEnd | undefined> {
    const { state: endpoint } = await this.endpoints.load(endpointId);
    if (endpoint.status !== 'active') return 'endpoint_disabled';
    const { epoch } = await this.queries.execute(new GetBinding(agencyId));
    return endpoint.epoch < epoch ? 'access_revoked' : undefined;
  }

  private hasPassed(head: Position): Promise<boolean> {
    return this.progress.waitForPosition([READ_MODELS, DASHBOARD_READ_MODELS], head, CATCH_UP_TIMEOUT);
  }
}

/** Replays nothing more; what is pending is still attempted. */
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

/** The latest replay of an endpoint, under way or ended. */
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
export class ListReplays extends Query<readonly RequestedReplay[]> {
  constructor(readonly agencyId: AgencyId) {
    super();
  }
}

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
