import type { AgencyEvent } from '#agencies';
import {
  type AgencyId,
  type CollectionDefinition,
  type CollectionWrite,
  type Document,
  type DocumentStore,
  type Position,
  type RecordedEvent,
  streamId,
  type WebhookEndpointId,
  type WorkspaceId,
} from '#kernel';
import type { WebhookEndpointEvent } from '#webhooks';

/** Between which places in the log an endpoint is told of events: registered, and neither disabled nor of an earlier epoch. */
export interface WebhookTarget extends Document {
  readonly id: WebhookEndpointId;
  readonly agencyId: AgencyId;
  readonly workspaceId: WorkspaceId;
  readonly from: Position;
  readonly until: Position | null;
}

/** Written together with the process's checkpoint, and lost together with it. */
export const WEBHOOK_TARGETS: CollectionDefinition = {
  name: 'webhook_targets',
  indexes: [{ name: 'ids', fields: [] }],
};

const PAGE = 1_000;

/**
 * Which endpoints there were at each place of the log: it follows from the log alone, and so does who is told of which
 * event, however often a page is handled.
 */
export class WebhookTargets {
  private readonly byWorkspace = new Map<WorkspaceId, Map<WebhookEndpointId, WebhookTarget>>();
  private readonly changed = new Map<WebhookEndpointId, WebhookTarget>();

  constructor(private readonly store: DocumentStore) {}

  async load(): Promise<void> {
    this.byWorkspace.clear();
    this.changed.clear();
    for (let after = ''; ; ) {
      const query = { index: 'ids', gt: after, limit: PAGE };
      const page = await this.store.find<WebhookTarget>(WEBHOOK_TARGETS.name, query);
      for (const target of page) this.keep(target);
      const last = page.at(-1);
      if (last === undefined) return;
      after = last.id;
    }
  }

  /** Those that are to be told of what stands at this place. */
  at(workspaceId: WorkspaceId, position: Position): WebhookTarget[] {
    const targets = [...(this.byWorkspace.get(workspaceId)?.values() ?? [])];
    return targets.filter(({ from, until }) => from < position && (until === null || position < until));
  }

  apply(event: RecordedEvent<WebhookEndpointEvent | AgencyEvent>): void {
    const { position } = event;
    switch (event.type) {
      case 'webhookEndpoint.registered.v1': {
        const { endpointId: id, agencyId, workspaceId } = event.data;
        const known = this.byWorkspace.get(workspaceId)?.get(id);
        if (known === undefined) this.change({ id, agencyId, workspaceId, from: position, until: null });
        return;
      }
      case 'webhookEndpoint.disabled.v1':
        for (const targets of this.byWorkspace.values()) this.end(targets.get(event.data.endpointId), position);
        return;
      case 'agency.rebound.v1': {
        const agencyId = streamId(event.stream);
        for (const targets of this.byWorkspace.values()) {
          for (const target of targets.values()) if (target.agencyId === agencyId) this.end(target, position);
        }
        return;
      }
      default:
        return;
    }
  }

  /** What has changed since this was last asked for. */
  writes(): CollectionWrite[] {
    const put = [...this.changed.values()];
    this.changed.clear();
    return put.length === 0 ? [] : [{ collection: WEBHOOK_TARGETS.name, put }];
  }

  private end(target: WebhookTarget | undefined, position: Position): void {
    if (target === undefined || target.from >= position) return;
    if (target.until === null || position < target.until) this.change({ ...target, until: position });
  }

  private change(target: WebhookTarget): void {
    this.keep(target);
    this.changed.set(target.id, target);
  }

  private keep(target: WebhookTarget): void {
    const targets = this.byWorkspace.get(target.workspaceId) ?? new Map<WebhookEndpointId, WebhookTarget>();
    this.byWorkspace.set(target.workspaceId, targets);
    targets.set(target.id, target);
  }
}
