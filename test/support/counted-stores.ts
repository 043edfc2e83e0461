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

/**
 * Stores that count what reaches their adapters, and for which work: below all that remembers folds or documents, and
 * as a store on another machine sees it. Not counted are keys of personal data and which collections are live, because what
 * is remembered of them ends by the machine's clock, and checkpoints, because waiting for a runner elsewhere polls them.
 */
export class CountedStores {
  /** All calls, including those that belong to no work. */
  readonly total = new StoreCalls();
  /** In the order in which they ended. */
  readonly reactions: CountedReaction[] = [];
  private readonly work = new AsyncLocalStorage<StoreCalls>();

  constructor(private readonly eventStoreDbUrl: string) {}

  open(config: Config): Promise<Stores> {
    return openStoresThrough(this.eventStoreDbUrl, config, {
      log: (log) => this.log(log),
      documents: (store) => this.documents(store),
    });
  }

  /** Counts the calls of the one request that the task sends to this process. */
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
      // The rest of this turn handles the request.
      this.work.enterWith(calls);
    };
    subscribe(REQUEST_START, onStart);
    try {
      return { answer: await task(), calls };
    } finally {
      unsubscribe(REQUEST_START, onStart);
    }
  }

  /** Counts from now on what the consumers do, each time. */
  watch({ consumers }: Jobs): void {
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

/** Classifies a call of a method by its arguments; undefined if it does not count. */
type Noted = (given: readonly unknown[]) => readonly [kind: Kind, subject: string] | undefined;
type NotedMethods<Store> = { readonly [Method in keyof Store]?: Noted };

/** A page for each event, so that what a reaction asks does not depend on how many events it is shown together. */
async function* oneByOne(pages: AsyncIterable<LogPage>): AsyncIterable<LogPage> {
  for await (const { events, reached, atEnd } of pages) {
    for (const event of events.slice(0, -1)) yield { events: [event], reached: event.position, atEnd: false };
    yield { events: events.slice(-1), reached, atEnd };
  }
}

/** One call counts as one write, even to several collections. */
const collectionsOf = (writes: readonly CollectionWrite[]): string =>
  writes.map(({ collection }) => nameOf(collection)).join(' + ') || 'checkpoint';

/** Without the version and the number of the rebuild that name the live collection of a read model. */
const nameOf = (collection: string): string => collection.replace(/_v\d+_\d+$/, '');
