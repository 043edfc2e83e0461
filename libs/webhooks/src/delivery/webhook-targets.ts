import type { AgencyEvent } from '#agencies';
import type { PublicEventType } from '#event-feed';
import {
  type AgencyId,
  type Cause,
  type CollectionDefinition,
  type CollectionWrite,
  type Document,
  type DocumentStore,
  type Instant,
  type Position,
  type RecordedEvent,
  streamId,
  type WebhookEndpointId,
  type WorkspaceId,
} from '#kernel';
import type { WebhookDeliveryEvent } from '../domain/webhook-delivery.events.js';
import type { ChosenTypes, WebhookEndpointEvent } from '../domain/webhook-endpoint.events.js';

/** Between two positions of the log, both excluded; null while it lasts. */
interface Interval {
  readonly from: Position;
  readonly until: Position | null;
}

/** The latest failed attempt to an endpoint, by which the endpoint is judged (D82). */
export interface FailedAttempt {
  readonly position: Position;
  readonly at: Instant;
  readonly cause: Cause;
}

/** What changes the targets. */
export type TargetEvent = AgencyEvent | WebhookDeliveryEvent | WebhookEndpointEvent;

/** An endpoint that receives events, or has received them. */
export interface WebhookTarget extends Document {
  readonly id: WebhookEndpointId;
  readonly agencyId: AgencyId;
  readonly workspaceId: WorkspaceId;
  /** It receives events that were caused later (D84). */
  readonly registeredAt: Position;
  /** When it is active: from its registration or enabling until it is disabled or another binding begins. */
  readonly active: readonly Interval[];
  /** Events that were published from here on were caused after the registration; null if not known yet. */
  readonly pastRegistrationFrom: Position | null;
  /** Which event types it takes from each position on; missing for one that has always taken all (D104). */
  readonly types?: readonly TypesFrom[];
  /** Null if all failed attempts have been judged. */
  readonly unjudged: FailedAttempt | null;
}

interface TypesFrom {
  readonly from: Position;
  readonly types: ChosenTypes;
}

/** The form of targets before endpoints could be enabled again. */
type StoredTarget = WebhookTarget | (Pick<WebhookTarget, 'id' | 'agencyId' | 'workspaceId'> & Interval);

/** Written together with the process's checkpoint, and lost together with it. */
export const WEBHOOK_TARGETS: CollectionDefinition = {
  name: 'webhook_targets',
  indexes: [{ name: 'ids', fields: [] }],
};

const TARGETS_PER_PAGE = 1_000;
/**
 * So many changes of an endpoint are kept, of its types and of its being active, because each write of a target writes
 * all of them. Only an event that is published before the latest ones and handled after them could miss an older one.
 */
const MAX_CHANGES = 20;

/** It follows from the log alone, so that a page that is handled again has the same endpoints. */
export class WebhookTargets {
  private readonly byId = new Map<WebhookEndpointId, WebhookTarget>();
  private readonly byWorkspace = new Map<WorkspaceId, Set<WebhookEndpointId>>();
  private readonly unjudged = new Set<WebhookEndpointId>();
  private readonly changed = new Map<WebhookEndpointId, WebhookTarget>();

  constructor(private readonly store: DocumentStore) {}

  async removal(): Promise<CollectionWrite[]> {
    await this.load();
    const remove = [...this.byId.keys()];
    return remove.length === 0 ? [] : [{ collection: WEBHOOK_TARGETS.name, remove }];
  }

  async load(): Promise<void> {
    this.byId.clear();
    this.byWorkspace.clear();
    this.unjudged.clear();
    this.changed.clear();
    for (let after = ''; ; ) {
      const query = { index: 'ids', gt: after, limit: TARGETS_PER_PAGE };
      const page = await this.store.find<StoredTarget>(WEBHOOK_TARGETS.name, query);
      for (const target of page) this.keep(presentForm(target));
      const last = page.at(-1);
      if (last === undefined) return;
      after = last.id;
    }
  }

  /** The workspace's endpoints that are active at this position, and take events of the type. */
  at(workspaceId: WorkspaceId, position: Position, type: PublicEventType): WebhookTarget[] {
    const targets: WebhookTarget[] = [];
    for (const id of this.byWorkspace.get(workspaceId) ?? []) {
      const target = this.byId.get(id);
      if (target === undefined || !takes(target, position, type)) continue;
      if (target.active.some(({ from, until }) => from < position && (until === null || position < until)))
        targets.push(target);
    }
    return targets;
  }

  apply(event: RecordedEvent<TargetEvent>): void {
    const { position } = event;
    switch (event.type) {
      case 'webhookEndpoint.registered.v2': {
        const { endpointId: id, agencyId, workspaceId, types = null } = event.data;
        if (this.byId.has(id)) return;
        const active = [{ from: position, until: null }];
        const untouched = { pastRegistrationFrom: null, unjudged: null };
        const chosen = types === null ? {} : { types: [{ from: position, types }] };
        this.change({ id, agencyId, workspaceId, registeredAt: position, active, ...chosen, ...untouched });
        return;
      }
      case 'webhookEndpoint.typesChosen.v1':
        this.choose(this.byId.get(event.data.endpointId), position, event.data.types);
        return;
      case 'webhookEndpoint.disabled.v1':
        this.end(this.byId.get(event.data.endpointId), position);
        return;
      case 'webhookEndpoint.enabled.v1':
        this.resume(this.byId.get(event.data.endpointId), position);
        return;
      case 'agency.rebound.v1': {
        const agencyId = streamId(event.stream);
        for (const target of this.byId.values()) if (target.agencyId === agencyId) this.end(target, position);
        return;
      }
      case 'webhookDelivery.attemptFailed.v1':
      case 'webhookDelivery.exhausted.v1':
        this.fail(this.byId.get(event.data.endpointId), event);
        return;
      default:
        return;
    }
  }

  /** Events that are published from this position on were caused after the endpoint's registration. */
  passedRegistration(target: WebhookTarget, position: Position): void {
    if (target.pastRegistrationFrom === null) this.change({ ...target, pastRegistrationFrom: position });
  }

  toJudge(): (readonly [WebhookEndpointId, FailedAttempt])[] {
    return [...this.unjudged].flatMap((id) => {
      const attempt = this.byId.get(id)?.unjudged ?? null;
      return attempt === null ? [] : [[id, attempt] as const];
    });
  }

  judged(id: WebhookEndpointId): void {
    const target = this.byId.get(id);
    if (target !== undefined) this.change({ ...target, unjudged: null });
  }

  writes(): CollectionWrite[] {
    const put = [...this.changed.values()];
    this.changed.clear();
    return put.length === 0 ? [] : [{ collection: WEBHOOK_TARGETS.name, put }];
  }

  /** A page that is handled again changes nothing that a later page has changed. */
  private end(target: WebhookTarget | undefined, position: Position): void {
    const last = target?.active.at(-1);
    if (target === undefined || last === undefined || last.until !== null || last.from >= position) return;
    const active = [...target.active.slice(0, -1), { from: last.from, until: position }];
    this.change({ ...target, active, unjudged: null });
  }

  private resume(target: WebhookTarget | undefined, position: Position): void {
    const last = target?.active.at(-1);
    if (target === undefined || last === undefined || last.until === null || last.until >= position) return;
    this.change({ ...target, active: withLatest(target.active, { from: position, until: null }) });
  }

  private fail(target: WebhookTarget | undefined, { id, position, metadata }: RecordedEvent): void {
    if (target === undefined || !isActive(target)) return;
    const cause = { id, correlationId: metadata.correlationId };
    this.change({ ...target, unjudged: { position, at: metadata.at, cause } });
  }

  private choose(target: WebhookTarget | undefined, position: Position, types: ChosenTypes): void {
    const before = target?.types ?? [];
    if (target === undefined || position <= (before.at(-1)?.from ?? target.registeredAt)) return;
    this.change({ ...target, types: withLatest(before, { from: position, types }) });
  }

  private change(target: WebhookTarget): void {
    this.keep(target);
    this.changed.set(target.id, target);
  }

  private keep(target: WebhookTarget): void {
    this.byId.set(target.id, target);
    if (target.unjudged === null) this.unjudged.delete(target.id);
    else this.unjudged.add(target.id);
    const ids = this.byWorkspace.get(target.workspaceId) ?? new Set<WebhookEndpointId>();
    this.byWorkspace.set(target.workspaceId, ids.add(target.id));
  }
}

const withLatest = <Change>(changes: readonly Change[], latest: Change): Change[] =>
  [...changes, latest].slice(-MAX_CHANGES);

const takes = ({ types = [] }: WebhookTarget, position: Position, type: PublicEventType): boolean => {
  const chosen = types.findLast(({ from }) => from < position)?.types ?? null;
  return chosen === null || chosen.includes(type);
};

const isActive = ({ active }: WebhookTarget): boolean => active.at(-1)?.until === null;

const presentForm = (stored: StoredTarget): WebhookTarget => {
  if ('active' in stored) return stored;
  const { id, agencyId, workspaceId, from, until } = stored;
  const active = [{ from, until }];
  return { id, agencyId, workspaceId, registeredAt: from, active, pastRegistrationFrom: null, unjudged: null };
};
