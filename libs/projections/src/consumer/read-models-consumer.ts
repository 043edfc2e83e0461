import { endOf, type LogConsumer } from '#jobs';
import {
  type Cache,
  Caches,
  type Checkpoint,
  type CollectionDefinition,
  type CollectionWrite,
  type Document,
  type DocumentStore,
  type EventLog,
  idOfRemoval,
  type LogPage,
  type Projection,
  type RecordedEvent,
  typesOf,
} from '#kernel';
import { deadLetterProjection } from '../dead-letters/dead-letter-list.js';
import { ProjectionEngine, type Target } from '../engine/projection-engine.js';
import { byRunner, laneOfReadModels, READ_MODELS } from '../engine/read-models-runner.js';
import { type Rebuild, versionsOf } from '../rebuild/rebuild.js';
import {
  changeEntry,
  collectionName,
  LIVE_COLLECTIONS,
  type LiveCollection,
  liveCollectionsOf,
  noCollectionOf,
} from '../stored-live-collections.js';

const LIMITS = { bytes: 8 * 1024 * 1024 };

/** Documents as their only writer last wrote them. Outdated after a failed write, and after another process has written. */
export class WrittenDocuments implements Pick<DocumentStore, 'getMany'> {
  private readonly documents: Cache<string, Document>;

  constructor(
    private readonly store: Pick<DocumentStore, 'getMany'>,
    caches: Caches = Caches.ON,
  ) {
    this.documents = caches.create(LIMITS);
  }

  async getMany<D extends Document>(collection: string, ids: readonly string[]): Promise<D[]> {
    const known: D[] = [];
    const unknown: string[] = [];
    for (const id of ids) {
      // The document has the type with which it was written.
      const document = this.documents.get(nameOf(collection, id)) as D | undefined;
      if (document === undefined) unknown.push(id);
      else known.push(document);
    }
    return unknown.length === 0 ? known : [...known, ...(await this.store.getMany<D>(collection, unknown))];
  }

  /** Called before the write; removes come first, as in a store. */
  remember(writes: readonly CollectionWrite[]): void {
    for (const { collection, put = [], remove = [] } of writes) {
      for (const removal of remove) this.documents.delete(nameOf(collection, idOfRemoval(removal)));
      for (const document of put) this.documents.set(nameOf(collection, document.id), document);
    }
  }
}

const nameOf = (collection: string, id: string): string => `${collection}/${id}`;

/** The collections of this program's projections, which must exist before anything reads them. */
export const readModelCollections = async (
  store: DocumentStore,
  projections: readonly Projection[],
): Promise<CollectionDefinition[]> => {
  await store.ensure([LIVE_COLLECTIONS]);
  for (const [runner, own] of byRunner(projections)) {
    // Nothing has been read of the log yet, so empty collections are right; later they would have to be rebuilt.
    const names = [laneOfReadModels(runner), runner];
    if ((await Promise.all(names.map((name) => store.checkpoint(name)))).some((each) => each !== undefined)) continue;
    for (const projection of own) {
      const { name, version } = projection;
      const first: LiveCollection = { id: name, collection: collectionName(projection, 1), version };
      await store.compareAndSet(LIVE_COLLECTIONS.name, first, null);
    }
  }
  const live = await liveCollectionsOf(store, projections);
  return projections.flatMap(({ name, version, indexes }) => {
    const current = live.get(name);
    return current?.version === version ? [{ name: current.collection, indexes }] : [];
  });
};

export class ReadModelsConsumer implements LogConsumer {
  readonly types: ReadonlySet<string>;
  readonly readModels: Readonly<Record<string, number>>;
  private targets: readonly Target[] = [];
  private engine = new ProjectionEngine([]);
  private documents: WrittenDocuments;

  constructor(
    private readonly store: DocumentStore,
    private readonly rebuild: Rebuild,
    private readonly projections: readonly Projection[],
    private readonly caches: Caches = Caches.ON,
    readonly name = READ_MODELS,
  ) {
    this.types = typesOf(projections);
    this.readModels = versionsOf(projections);
    this.documents = new WrittenDocuments(store, caches);
  }

  /** Rebuilds a read model that is missing, was written by another version, or was not kept (D112), before a write to it. */
  async prepare(signal: AbortSignal, checkpoint: Checkpoint): Promise<void> {
    await this.rebuild.prepare(this.projections, checkpoint, signal);
  }

  async betweenPages(checkpoint: Checkpoint): Promise<void> {
    if ((await this.rebuild.finish(this.projections, checkpoint)).length > 0) await this.takeOver();
  }

  /** Nobody reads documents of another log: lists are refused until `prepare` has rebuilt them, from the log's end on. */
  async beginAgain(log: EventLog, fence: number): Promise<Pick<Checkpoint, 'position' | 'event'>> {
    for (const { name } of this.projections) await changeEntry(this.store, name, () => noCollectionOf(name), fence);
    return endOf(log);
  }

  async takeOver(): Promise<void> {
    const live = await liveCollectionsOf(this.store, this.projections);
    this.targets = this.projections.map((projection) => {
      const current = live.get(projection.name);
      if (current?.version === projection.version) return { projection, collection: current.collection };
      // A process of another version has rebuilt it since.
      throw new Error(
        `${projection.name} was filled by version ${current?.version}; this program has version ${projection.version}`,
      );
    });
    this.engine = new ProjectionEngine(this.targets);
    this.forget();
  }

  /** D72: a process without the lease does not learn which documents were erased. */
  forget(): void {
    this.documents = new WrittenDocuments(this.store, this.caches);
  }

  handle(page: LogPage, part?: string): Promise<readonly CollectionWrite[]> {
    return this.project(part === undefined ? this.engine : this.engineOf(part), page.events);
  }

  /** A read model that cannot fold an event lacks it until it is rebuilt; the others have it (D67). */
  parts({ type }: RecordedEvent): readonly string[] {
    return this.projections.filter(({ on }) => on.has(type)).map(({ name }) => name);
  }

  /** Written with the checkpoint, so that no reader treats a list without the event as complete. */
  noteDeadLetter(event: RecordedEvent): Promise<readonly CollectionWrite[]> {
    return this.project(this.engineOf(deadLetterProjection.name), [event]);
  }

  private engineOf(readModel: string): ProjectionEngine {
    return new ProjectionEngine(this.targets.filter(({ projection }) => projection.name === readModel));
  }

  private async project(engine: ProjectionEngine, events: readonly RecordedEvent[]): Promise<CollectionWrite[]> {
    const writes = await engine.project(this.documents, events);
    this.documents.remember(writes);
    return writes;
  }
}
