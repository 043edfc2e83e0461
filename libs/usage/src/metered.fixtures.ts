import {
  type CreatorId,
  type Document,
  derivedId,
  type Instant,
  LiveCollections,
  type Projection,
  type RecordedEvent,
  streamName,
  type WorkspaceId,
} from '#kernel';
import { ProjectionEngine } from '#projections';
import type { TestedContext } from '../../testing/src/tested-context.js';
import {
  startMetering,
  stopMetering,
  type UsageMeter,
  type UsageMeterEvent,
  usageMeterDecider,
} from './domain/usage-meter.js';
import { usageIntervalsProjection } from './read-models/usage-intervals.js';
import { usageMonthsProjection } from './read-models/usage-months.js';

export const workspaceId: WorkspaceId = derivedId('workspace', 'lumen');
export const creatorOf = (name: string): CreatorId => derivedId('creator', name);

/** The events that the meter records when creators are switched on and off. */
export class Metered {
  readonly events: RecordedEvent<UsageMeterEvent>[] = [];
  private readonly meters = new Map<CreatorId, { state: UsageMeter; revision: number }>();

  switch(creator: string, on: boolean, at: Instant, workspace = workspaceId, meteredAt = at): this {
    const creatorId = creatorOf(creator);
    const meter = this.meters.get(creatorId) ?? { state: usageMeterDecider.initial, revision: 0 };
    const cause = { eventId: `${creator}-${meter.revision}`, revision: meter.revision };
    const decide = on ? startMetering : stopMetering;
    for (const event of decide(meter.state, { creatorId, workspaceId: workspace, cause }, at)) {
      meter.state = usageMeterDecider.evolve(meter.state, event, at);
      const position = this.events.length + 1;
      const by = { correlationId: '', causationId: null, actor: 'test', workspaceId: workspace };
      const recorded = { id: `${position}`, stream: streamName('usageMeter', creatorId), revision: meter.revision };
      this.events.push({ ...event, ...recorded, position, metadata: { at: meteredAt, ...by } });
    }
    this.meters.set(creatorId, { ...meter, revision: meter.revision + 1 });
    return this;
  }

  /** Closed, or open if `to` is null. */
  interval(creator: string, from: Instant, to: Instant | null): this {
    this.switch(creator, true, from);
    return to === null ? this : this.switch(creator, false, to);
  }

  /** The documents that a read model makes of the events. */
  documents<D extends Document>(projection: Projection<D>): D[] {
    const documents = new Map<string, D>();
    for (const event of this.events) {
      const handler = projection.on.get(event.type);
      for (const id of [handler?.documents(event) ?? []].flat()) {
        const document = handler?.fold(documents.get(id), event, id);
        if (document === undefined) documents.delete(id);
        else documents.set(id, document);
      }
    }
    return [...documents.values()];
  }

  /** Projects those that were recorded since the last time. */
  async show({ documents, get }: TestedContext): Promise<void> {
    const targets = [usageMonthsProjection, usageIntervalsProjection].map(async (projection) => ({
      projection,
      collection: await get(LiveCollections).of(projection),
    }));
    const engine = new ProjectionEngine(await Promise.all(targets));
    await documents.write(await engine.project(documents, this.events.slice(this.shown)));
    this.shown = this.events.length;
  }

  private shown = 0;
}
