import { DeadLetters, endOf, Lane, Leader, Leases, type LogConsumer } from '#jobs';
import {
  type Checkpoint,
  CommandRunner,
  type Document,
  LanePositions,
  newEventId,
  type Projection,
  projection,
  silentLogger,
  systemClock,
} from '#kernel';
import { eventually, InMemoryDocumentStore, InMemoryEventLog } from '#testing';
import { ReadModelsConsumer } from './consumer/read-models-consumer.js';
import { laneOfReadModels, READ_MODELS } from './engine/read-models-runner.js';
import { Rebuild } from './rebuild/rebuild.js';
import { LIVE_COLLECTIONS, type LiveCollection, liveCollectionsOf } from './stored-live-collections.js';

export const LANE = laneOfReadModels(READ_MODELS);

type Counted =
  | { readonly type: 'counted.v1'; readonly data: { readonly what: string } }
  | { readonly type: 'forgotten.v1'; readonly data: { readonly what: string } };

export interface Count extends Document {
  readonly count: number;
  /** An operational field. */
  readonly note: string;
}

/** Counts events, so that a lost or repeated event shows. */
export const counts = (version: number, step = 1): Projection =>
  projection<Count, Counted>({
    name: 'counts',
    version,
    indexes: [{ name: 'count', fields: ['count'] }],
    operationalFields: ['note'],
    on: {
      'counted.v1': {
        documents: ({ data }) => data.what,
        fold: (before, { data }) => ({ id: data.what, count: (before?.count ?? 0) + step, note: '' }),
      },
      'forgotten.v1': { documents: ({ data }) => data.what, fold: () => undefined },
    },
  }) as Projection;

/** A log of counted events, and a store with the first live collection. */
export class Counting {
  readonly log = new InMemoryEventLog();
  readonly store = new InMemoryDocumentStore();
  /** By the clock of its rebuilds. */
  elapsed = 0;
  private readonly leaders: Leader[] = [];

  static async open(): Promise<Counting> {
    const counting = new Counting();
    const { store } = counting;
    await store.ensure([LIVE_COLLECTIONS, { name: 'counts_v1_1', indexes: [] }]);
    const live: LiveCollection = { id: 'counts', collection: 'counts_v1_1', version: 1 };
    await store.write([{ collection: LIVE_COLLECTIONS.name, put: [live] }]);
    return counting;
  }

  append(what: string, type: Counted['type'] = 'counted.v1') {
    const metadata = { at: 1, correlationId: 'r', causationId: null, actor: 'test', workspaceId: null };
    return this.log.append(`counted-${what}`, 'any', [{ id: newEventId(), type, data: { what }, metadata }]);
  }

  async live(): Promise<LiveCollection | undefined> {
    return (await liveCollectionsOf(this.store, [counts(1)])).get('counts');
  }

  async collection(): Promise<string | undefined> {
    return (await this.live())?.collection;
  }

  rebuild(): Rebuild {
    return new Rebuild(this.log, this.store, undefined, undefined, () => this.elapsed);
  }

  /** A process that leads, for a version, until `end`. */
  leader(version = 1, step = 1, beforeWrite?: () => Promise<void>) {
    const led = this.running(counts(version, step), `leader of ${version}`, beforeWrite);
    this.leaders.push(led.runner);
    return led;
  }

  async end(): Promise<void> {
    await Promise.all(this.leaders.map((leader) => leader.stop()));
    await this.log.close();
  }

  async count(what: string): Promise<number | undefined> {
    return (await this.store.get<Count>((await this.live())?.collection ?? '', what))?.count;
  }

  /** Runs the lane of the live collection as a separate process would. `beforeWrite` can delay a page. */
  running(kept: Projection, holder: string, beforeWrite?: () => Promise<void>) {
    const consumer = new ReadModelsConsumer(this.store, new Rebuild(this.log, this.store), [kept]);
    const handle = consumer.handle.bind(consumer);
    consumer.handle = async (page, part) => {
      const writes = await handle(page, part);
      await beforeWrite?.();
      return writes;
    };
    return this.runningConsumer(consumer, holder);
  }

  /** The process leads whenever it can; its one lane has the consumer. */
  runningConsumer(consumer: LogConsumer, holder: string) {
    const { log, store } = this;
    const progress = new LanePositions(store);
    const deadLetters = new DeadLetters(new CommandRunner(log, systemClock));
    const runner = new Leader(new Leases(store, systemClock, holder), silentLogger);
    runner.start(async ({ fence, over }) => {
      const lane = new Lane(
        { name: LANE, consumers: [consumer] },
        fence,
        log,
        store,
        progress,
        deadLetters,
        silentLogger,
      );
      lane.start();
      if (!over.aborted) await new Promise((resolve) => over.addEventListener('abort', resolve, { once: true }));
      await lane.stop();
    });
    const reached = async () => {
      if (!(await progress.waitForPosition([LANE], await log.head(), 10_000))) throw new Error(`${holder} is behind`);
    };
    return { runner, reached };
  }

  entry() {
    return this.store.get<LiveCollection>(LIVE_COLLECTIONS.name, 'counts');
  }

  /** The collections of read models. */
  async collections(): Promise<string[]> {
    return (await this.store.collections()).filter((name) => name !== LIVE_COLLECTIONS.name).toSorted();
  }

  /** As a lane leaves it that has handled everything. */
  async laneAtEnd(): Promise<Checkpoint> {
    const { position, event } = await endOf(this.log);
    const checkpoint = { name: LANE, fence: 1, position, event: event && { ...event, readModels: { counts: 1 } } };
    await this.store.write([], checkpoint);
    return checkpoint;
  }

  /** A rebuild in another process that has filled its shadow, and the end of it. */
  async filled() {
    const ended = new Rebuild(this.log, this.store).run([counts(1)]);
    ended.catch(() => undefined);
    await eventually(async () => (await this.entry())?.rebuild?.isFilled === true);
    const shadow = (await this.entry())?.rebuild;
    if (shadow === undefined) throw new Error('it was filled before');
    return { ended, shadow };
  }
}
