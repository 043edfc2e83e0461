import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import type { Config } from '#configuration';
import { type CollectionWrite, categoryOf, type DocumentStore, type EventLog, type LogPage } from '#kernel';
import { LIVE_COLLECTIONS } from '#projections';
import type { Stores } from '#stores';
import type { Jobs } from './open-service.js';
import { type Kind, StoreCalls } from './store-calls.js';
import { openStoresThrough } from './stores.js';

const REQUEST_START = 'http.server.request.start';

export interface CountedReaction {
  readonly consumer: string;
  readonly correlationId: string;
  readonly calls: StoreCalls;
}

export interface CountedStep {
  readonly kind: string;
  readonly subject: string;
  readonly calls: StoreCalls;
}

/**
 * Stores that count what reaches their adapters, and for which work: below all that remembers folds or documents, and
 * as a store on another machine sees it. Not counted are keys of personal data and which collections are live, because what
 * is remembered of them ends by the machine's clock, and checkpoints, because waiting for a runner elsewhere polls them.
 */
export class CountedStores {
  /** Of everything, whether it belongs to some work or not. */
  readonly total = new StoreCalls();
  /** In the order in which they ended. */
  readonly reactions: CountedReaction[] = [];
  /** In the order in which they began. */
  readonly steps: CountedStep[] = [];
  private readonly work = new AsyncLocalStorage<StoreCalls>();

  constructor(private readonly eventStoreDbUrl: string) {}

  open(config: Config): Promise<Stores> {
    return openStoresThrough(this.eventStoreDbUrl, config, {
      log: (log) => this.log(log),
      documents: (store) => this.documents(store),
    });
  }

  /** What the one request asks that the task sends to this process. */
  async request<T>(task: () => Promise<T>): Promise<{ readonly answer: T; readonly calls: StoreCalls }> {
    const calls = new StoreCalls();
    const onStart = (message: unknown) => {
      const { request } = message as { readonly request: IncomingMessage };
      this.work.run(calls, () => {
        const inWork = AsyncLocalStorage.snapshot();
        const emit = request.emit.bind(request);
        // A body arrives later, in the context of its connection.
        Object.assign(request, { emit: (...event: [string, ...unknown[]]) => inWork(() => emit(...event)) });
      });
      // What follows in this turn is the handling of the request.
      this.work.enterWith(calls);
    };
    subscribe(REQUEST_START, onStart);
    try {
      return { answer: await task(), calls };
    } finally {
      unsubscribe(REQUEST_START, onStart);
    }
  }

  /** Counts from now on what these do, each time. */
  watch({ kinds, consumers, attempts }: Jobs): void {
    for (const kind of kinds) {
      const start = kind.start.bind(kind);
      kind.start = (items, places) =>
        items.map((item) =>
          this.step(item.kind, item.subject, async () => start([item], places)[0] ?? Promise.resolve('done')),
        );
    }
    for (const consumer of consumers) {
      const handle = consumer.handle.bind(consumer);
      consumer.handle = async (page, part) => {
        const calls = new StoreCalls();
        const writes = await this.work.run(calls, () => handle(page, part));
        for (const { metadata } of page.events) {
          this.reactions.push({ consumer: consumer.name, correlationId: metadata.correlationId, calls });
        }
        return writes;
      };
    }
    const attempt = attempts.attempt.bind(attempts);
    attempts.attempt = (endpointId, ...given) =>
      this.step('delivery', endpointId, async () => {
        const attempted = await attempt(endpointId, ...given);
        // What came of it is recorded by the caller that asked for the attempt.
        const recordedHere = AsyncLocalStorage.snapshot();
        return attempted.map(async (one) => {
          const outcome = await one;
          return outcome.kind === 'sent' ? { ...outcome, record: () => recordedHere(outcome.record) } : outcome;
        });
      });
  }

  /** Counts what the task does as one step. */
  step<T>(kind: string, subject: string, task: () => Promise<T>): Promise<T> {
    const calls = new StoreCalls();
    this.steps.push({ kind, subject, calls });
    return this.work.run(calls, task);
  }

  private log(log: EventLog): EventLog {
    const noted: NotedMethods<EventLog> = {
      readStream: ([stream]) => ['stream reads', String(stream)],
      head: () => ['log reads', 'head'],
      readLog: () => ['log reads', 'page'],
      append: ([stream]) => ['appends', categoryOf(String(stream))],
    };
    const tail = log.tail && this.counted(log.tail, { passesEnd: () => ['log reads', 'end'] });
    return this.counted(log, noted, { tail, follow: (options) => oneByOne(log.follow(options)) });
  }

  private documents(store: DocumentStore): DocumentStore {
    const lookUp: Noted = ([collection]) =>
      collection === LIVE_COLLECTIONS.name ? undefined : ['lookups', nameOf(String(collection))];
    return this.counted(store, {
      get: lookUp,
      getMany: lookUp,
      find: lookUp,
      findEntries: lookUp,
      count: lookUp,
      lease: () => ['lookups', 'lease'],
      write: ([writes]) => ['writes', collectionsOf(writes as readonly CollectionWrite[])],
      compareAndSet: ([collection]) => ['writes', nameOf(String(collection))],
      acquireLease: () => ['writes', 'lease'],
      releaseLease: () => ['writes', 'lease'],
      increment: () => ['writes', 'counter'],
    });
  }

  private counted<Store extends object>(
    store: Store,
    noted: NotedMethods<Store>,
    replaced: Partial<Store> = {},
  ): Store {
    const call =
      (note: Noted, method: (...given: unknown[]) => Promise<unknown>) =>
      (...given: unknown[]) => {
        const counted = note(given);
        if (counted === undefined) return method.apply(store, given);
        this.total.note(...counted);
        const calls = this.work.getStore();
        calls?.note(...counted);
        const answer = () => method.apply(store, given);
        return calls === undefined ? answer() : calls.inRound(answer);
      };
    return new Proxy(store, {
      get: (_, member) => {
        if (member in replaced) return Reflect.get(replaced, member);
        const value: unknown = Reflect.get(store, member, store);
        if (typeof value !== 'function') return value;
        const note = noted[member as keyof Store];
        const method = value as (...given: unknown[]) => Promise<unknown>;
        return note === undefined ? method.bind(store) : call(note, method);
      },
    });
  }
}

/** What a call of a method counts as, by what is given to it; undefined where it does not count. */
type Noted = (given: readonly unknown[]) => readonly [kind: Kind, subject: string] | undefined;
type NotedMethods<Store> = { readonly [Method in keyof Store]?: Noted };

/** A page for each event, so that what a reaction asks does not depend on how many events it is shown together. */
async function* oneByOne(pages: AsyncIterable<LogPage>): AsyncIterable<LogPage> {
  for await (const { events, reached, atEnd } of pages) {
    for (const event of events.slice(0, -1)) yield { events: [event], reached: event.position, atEnd: false };
    yield { events: events.slice(-1), reached, atEnd };
  }
}

/** What is written in one call is one write. */
const collectionsOf = (writes: readonly CollectionWrite[]): string =>
  writes.map(({ collection }) => nameOf(collection)).join(' + ') || 'checkpoint';

/** Without the version and the number of the rebuild that name the live collection of a read model. */
const nameOf = (collection: string): string => collection.replace(/_v\d+_\d+$/, '');
