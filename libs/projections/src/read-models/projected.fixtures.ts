import {
  type Document,
  type DomainEvent,
  derivedId,
  type Instant,
  type Projected,
  type Projection,
  type RecordedEvent,
  type StreamName,
} from '#kernel';
import { InMemoryDocumentStore } from '#testing';
import { ProjectionEngine } from '../engine/projection-engine.js';
import { LIVE_COLLECTIONS, StoredLiveCollections } from '../stored-live-collections.js';
import { ReadModel } from './read-models.js';

export const workspaceId = derivedId('workspace', 'ag_lumen');

/** A read model over a log of a test's own, which is projected as it grows. */
export class Projecting<D extends Document, Event extends DomainEvent> {
  readonly readModel: ReadModel<D>;
  private readonly store = new InMemoryDocumentStore();
  private readonly live = new StoredLiveCollections(this.store);
  private readonly revisions = new Map<string, number>();
  private position = 0;

  constructor(private readonly projection: Projection<D>) {
    this.readModel = new ReadModel<D>(projection, this.store, this.live);
  }

  /** The next event of that stream, projected twice: the second time changes nothing. */
  async record(stream: StreamName, event: Event, at: Instant = 0): Promise<RecordedEvent<Event>> {
    await this.store.ensure([LIVE_COLLECTIONS]);
    const collection = await this.live.of(this.projection);
    await this.store.ensure([{ name: collection, indexes: [...this.projection.indexes, { name: 'ids', fields: [] }] }]);
    const revision = this.revisions.get(stream) ?? 0;
    this.revisions.set(stream, revision + 1);
    this.position += 2;
    const metadata = { at, correlationId: 'c', causationId: null, actor: 'process:test', workspaceId };
    const recorded = { ...event, id: `e${this.position}`, stream, revision, position: this.position, metadata };
    for (let times = 0; times < 2; times++) {
      await this.store.write(
        await new ProjectionEngine([{ projection: this.projection, collection }]).project(this.store, [recorded]),
      );
    }
    return recorded;
  }

  get(id: string): Promise<D | undefined> {
    return this.readModel.get(id);
  }

  /** All documents in the order of their ids. */
  all(): Promise<Projected<D>[]> {
    return this.readModel.find({ index: 'ids', limit: 1_000 }) as Promise<Projected<D>[]>;
  }
}
